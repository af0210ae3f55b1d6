import { type Files, importsOfAll } from './modules.ts';
import { codeOf } from './source-text.ts';

const filesWith = (files: Files, word: string): readonly string[] => {
  const pattern = new RegExp(`\\b${word}\\b`);
  return [...files].filter(([, source]) => pattern.test(source)).map(([path]) => path);
};

const codeOfAll = (files: Files): Files =>
  new Map([...files].map(([path, source]) => [path, codeOf(source)]));

const reports = (word: string, paths: readonly string[], where: string) =>
  paths.map((path) => `${word} is in ${path}, not only in ${where}`);

/** Settings whose name is also that of an event. */
const alsoEvents = ['BALANCE_LOW'];

/** A setting is a row, and the code of `src/config` that reads it. The sandbox's own program reads its settings itself. */
export function scatteredSettings(files: Files, names: readonly string[]): readonly string[] {
  const code = codeOfAll(files);
  return (
    names
      // A name without an underscore is also another word in the code, such as `HOST`.
      .filter((name) => name.includes('_') && !alsoEvents.includes(name))
      .flatMap((name) => {
        const others = filesWith(code, name).filter(
          (path) => !path.startsWith('src/config/') && path !== 'sandbox/options.ts',
        );
        return reports(name, others, 'src/config');
      })
  );
}

/** The members of replies that the rows of the upstream's shapes name. Names of one word are also other words in the code. */
export const wireMembersOf = (files: Files): readonly string[] => [
  ...new Set(
    [...files]
      .filter(([path]) => path.startsWith('src/upstream/'))
      .flatMap(([, source]) => [...source.matchAll(/\bwire: '(\w*[a-z][A-Z]\w*)'/g)])
      .map(([, name = '']) => name),
  ),
];

/** Requests with contacts have some of these members too. */
const contactFile = 'src/modules/contact/contact-input.ts';

/** A field of a reply is a row of a shape; modules use the name of that row. */
export function scatteredFields(files: Files, members: readonly string[]): readonly string[] {
  const code = codeOfAll(files);
  return members.flatMap((member) => {
    const others = filesWith(code, member).filter(
      (path) => !/^(?:src\/upstream|sandbox)\//.test(path) && path !== contactFile,
    );
    return reports(member, others, 'src/upstream');
  });
}

const errorFiles = ['src/kernel/faults.ts', 'src/schema/user-error.ts'];

/** Examples and generated types. */
const notSource = /^src\/server\/ui\/|^client\/operations\.ts$/;

/** An error type is a column of its faults and a description. Examples of documents may select it. */
export const scatteredErrorTypes = (files: Files, types: readonly string[]): readonly string[] =>
  types.flatMap((type) => {
    const others = filesWith(files, type).filter(
      (path) => !errorFiles.includes(path) && !notSource.test(path),
    );
    return reports(type, others, errorFiles.join(' and '));
  });

/** A write of the upstream is a row, a function of the sandbox, and code of one module. */
export const scatteredWrites = (files: Files, actions: readonly string[]): readonly string[] =>
  actions.flatMap((action) => {
    const others = filesWith(files, action).filter(
      (path) => !/^(?:src\/upstream|sandbox)\/|root-order\.ts$/.test(path),
    );
    const folders = new Set(others.map((path) => path.replace(/[^/]*$/, '')));
    return folders.size > 1 ? reports(action, others, 'one module') : [];
  });

/** A server rule is a file, and a line of `app.ts`. */
export const scatteredRules = (files: Files): readonly string[] => {
  const imports = importsOfAll(files);
  return [...files.keys()]
    .filter((path) => path.startsWith('src/server/graphql/rules/'))
    .flatMap((rule) => {
      const importers = imports.filter(({ target }) => target === rule).map(({ from }) => from);
      const isListed = importers.length === 1 && importers[0] === 'src/server/app.ts';
      return isListed ? [] : [`${rule} is imported by ${importers.join(', ') || 'no file'}`];
    });
};
