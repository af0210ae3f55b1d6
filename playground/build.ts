import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { playgroundDigest } from './digest.ts';

// Builds GraphiQL into `src/server/ui/graphiql/built/`: each file compressed, with a digest of its content in its name.
const folder = new URL('../src/server/ui/graphiql/built/', import.meta.url);
// As it is: it is for people who look into the folder.
const licenses = 'licenses.md';
const names = {
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
  assetFileNames: '[name]-[hash][extname]',
};

/** Removes the fonts of characters beyond Latin-1, which the fonts of the browser show. They are a tenth of all files. */
const withoutOtherScripts = (css: string): string =>
  css.replace(/@font-face\{[^}]*\}/g, (rule) =>
    /unicode-range:(?!U\+(?:0000-00FF|\?\?),)/i.test(rule) ? '' : rule,
  );

const { output } = (await build({
  configFile: false,
  root: import.meta.dirname,
  base: '/graphiql/',
  logLevel: 'warn',
  build: {
    write: false,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    license: { fileName: licenses },
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: {
      input: fileURLToPath(new URL('src/main.tsx', import.meta.url)),
      output: names,
      // What a directive for a server or a compiler says does not matter here.
      onLog: (level, log, tell) => log.code === 'MODULE_LEVEL_DIRECTIVE' || tell(level, log),
    },
  },
  worker: { rolldownOptions: { output: names } },
})) as Rollup.RollupOutput;

const contentOf = (file: (typeof output)[number]) =>
  file.type === 'chunk' ? file.code : file.source;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const sizes = output.map((file) => {
  if (file.type === 'asset' && file.fileName === licenses) {
    writeFileSync(new URL(licenses, folder), file.source);
    return [0, 0] as const;
  }
  const isStyle = file.fileName.endsWith('.css');
  const source = contentOf(file);
  const content = Buffer.from(isStyle ? withoutOtherScripts(String(source)) : source);
  const packed = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  writeFileSync(new URL(`${file.fileName}.br`, folder), packed);
  return [content.length, packed.length] as const;
});

const nameOf = (fits: (file: (typeof output)[number]) => boolean) => output.find(fits)?.fileName;
const entry = {
  script: nameOf((file) => file.type === 'chunk' && file.isEntry),
  style: nameOf(({ fileName }) => fileName.endsWith('.css')),
  source: playgroundDigest(),
};
writeFileSync(new URL('entry.json', folder), `${JSON.stringify(entry, null, 2)}\n`);

const total = (index: 0 | 1) => Math.round(sizes.reduce((sum, one) => sum + one[index], 0) / 1024);
process.stdout.write(`${sizes.length} files, ${total(0)} KiB, compressed ${total(1)} KiB\n`);
