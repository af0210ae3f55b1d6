// Runs in the browser, after app.js: starts GraphiQL with the options that the page carries.
const workers = { graphql: 'graphql-worker.js', json: 'json-worker.js' };
globalThis.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => `/graphiql/${workers[label] ?? 'editor-worker.js'}`,
};
const options = JSON.parse(document.querySelector('#options').textContent);
globalThis.YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), options);
