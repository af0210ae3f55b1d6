/** The results in a stream of GraphQL over SSE (distinct connections), up to its end. */
// biome-ignore lint/suspicious/noExplicitAny: GraphiQL shows a result of any shape
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<any> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = fieldOf(block, 'data');
      // A block without data is a comment that holds the connection open, or `complete`, after which the response ends.
      if (data) yield JSON.parse(data);
    }
  }
}

const fieldOf = (block: string, name: string): string =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trimStart())
    .join('\n');
