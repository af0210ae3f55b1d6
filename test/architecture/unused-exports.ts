import { type Files, importsOfAll, productFolders } from './modules.ts';
import { codeOf } from './source-text.ts';

interface Export {
  readonly path: string;
  readonly name: string;
  readonly isType: boolean;
}

const declaration =
  /\bexport\s+(?:default\s+|declare\s+|abstract\s+|async\s+)*(const|let|function\*?|class|interface|type)\s+([\w$]+)/g;
const pattern = /\bexport\s+(?:const|let)\s*[{[]([^}\]]*)[}\]]\s*=/g;
const list = /\bexport\s+(type\s+)?\{([^}]*)\}(?!\s*from)/g;

function exportsOf(path: string, code: string): readonly Export[] {
  const names = (text = '') =>
    text
      .split(',')
      .map((part) =>
        part
          .trim()
          .replace(/^type\s+/, '')
          .replace(/^.*(?:\sas\s+|:\s*)/s, ''),
      )
      .filter((name) => name !== '');
  return [
    ...[...code.matchAll(declaration)].map(([, kind = '', name = '']) => ({
      path,
      name,
      isType: kind === 'interface' || kind === 'type',
    })),
    ...[...code.matchAll(pattern)].flatMap(([, parts]) =>
      names(parts).map((name) => ({ path, name, isType: false })),
    ),
    ...[...code.matchAll(list)].flatMap(([, type, parts]) =>
      names(parts).map((name) => ({ path, name, isType: type !== undefined })),
    ),
  ];
}

/**
 * Exports of the product that no other file imports, as `path#name`.
 *
 * A type that its own file uses elsewhere is part of a signature and counts as used.
 */
export function findUnusedExports(files: Files): readonly string[] {
  const used = new Set(
    importsOfAll(files).flatMap(({ target, names }) => names.map((name) => `${target}#${name}`)),
  );
  return [...files]
    .filter(
      ([path]) =>
        productFolders.some((folder) => path.startsWith(`${folder}/`)) &&
        !path.endsWith('.test.ts'),
    )
    .flatMap(([path, source]) => {
      const code = codeOf(source);
      const isInSignature = ({ name, isType }: Export) =>
        isType && code.split(new RegExp(`(?<![\\w$])${name}(?![\\w$])`)).length > 2;
      return exportsOf(path, code).filter(
        (one) => !used.has(`${path}#${one.name}`) && !used.has(`${path}#*`) && !isInSignature(one),
      );
    })
    .map(({ path, name }) => `${path}#${name}`);
}
