import { hash } from 'node:crypto';
import { mapAsyncIterator } from '@graphql-tools/utils';
import {
  type DirectiveNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getDirectiveValues,
  getOperationAST,
  Kind,
  print,
  type SelectionNode,
  visit,
} from 'graphql';
import { readVariables, variableValuesOf } from '../../lib/graphql-js.ts';
import { resultOr } from '../../lib/json.ts';
import { memoize } from '../../lib/lazy.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { isIncremental } from './delivery.ts';
import type { Rules } from './rule.ts';

type Path = readonly (string | number)[];

/** A part as the executor returns it, in the older form. */
interface ExecutedPart extends ExecutionResult {
  readonly hasNext?: boolean;
  readonly incremental?: readonly {
    readonly path: Path;
    /** That of the marked document. */
    readonly label: string;
    readonly data?: object | null;
    readonly items?: readonly unknown[] | null;
    readonly errors?: readonly GraphQLError[];
  }[];
}

type Executed = ExecutedPart | AsyncIterable<ExecutedPart>;

/** A `@defer` or `@stream` of a document. */
interface Marker {
  readonly directive: DirectiveNode;
  /** The response name of the streamed field; null for `@defer`. */
  readonly list: string | null;
}

/**
 * Executes a document with `@defer` or `@stream`, and returns the parts in the form of graphql-js 17: a part announces the
 * later ones in `pending`, and `completed` ends them. The executor returns the older form, which announces nothing.
 */
export async function executeAnnounced(
  execute: (args: ExecutionArgs) => Executed | PromiseLike<Executed>,
  args: ExecutionArgs,
): Promise<unknown> {
  const { document, markers } = markDocument(args.document);
  const executed = await execute({ ...args, document });
  const parts = new AnnouncedParts(activeMarkers(markers, args));
  return Symbol.asyncIterator in executed
    ? mapAsyncIterator(executed, (part) => parts.convert(part))
    : parts.convert(executed);
}

/**
 * The document with a marker beside each deferred fragment and streamed field. A marker is a `__typename` that the executor
 * returns in each object that gets a later part. Its response name is also the label of that part.
 */
const markDocument = memoize((document: DocumentNode) => {
  // No response name of the document has the digest of the document.
  const prefix = `part_${hash('sha256', print(document))}_`;
  const markers = new Map<string, Marker>();
  const mark = (selection: SelectionNode): readonly SelectionNode[] => {
    const directive = selection.directives?.find(isIncremental);
    if (!directive) return [selection];
    const name = `${prefix}${markers.size}`;
    const list = selection.kind === Kind.FIELD ? (selection.alias ?? selection.name).value : null;
    markers.set(name, { directive, list });
    return [markerOf(selection, name, document), withLabel(selection, directive, name)];
  };
  const marked: DocumentNode = visit(document, {
    SelectionSet: {
      leave: (set) => ({ ...set, selections: set.selections.flatMap(mark) }),
    },
  });
  return { document: marked, markers };
});

/** A selection under the conditions of `selection`, without its `@defer` or `@stream`. */
function markerOf(selection: SelectionNode, name: string, document: DocumentNode): SelectionNode {
  const directives = selection.directives?.filter((one) => !isIncremental(one)) ?? [];
  const marker: FieldNode = {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: '__typename' },
    alias: { kind: Kind.NAME, value: name },
  };
  if (selection.kind === Kind.FIELD) return { ...marker, directives };
  const { typeCondition } =
    selection.kind === Kind.INLINE_FRAGMENT
      ? selection
      : (document.definitions.find(
          (one): one is FragmentDefinitionNode =>
            one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value,
        ) ?? {});
  return {
    kind: Kind.INLINE_FRAGMENT,
    ...(typeCondition && { typeCondition }),
    directives,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [marker] },
  };
}

function withLabel<Selection extends SelectionNode>(
  selection: Selection,
  directive: DirectiveNode,
  label: string,
): Selection {
  const labelled: DirectiveNode = {
    ...directive,
    arguments: [
      ...(directive.arguments?.filter(({ name }) => name.value !== 'label') ?? []),
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'label' },
        value: { kind: Kind.STRING, value: label },
      },
    ],
  };
  const directives = selection.directives?.map((one) => (one === directive ? labelled : one));
  return { ...selection, ...(directives && { directives }) };
}

interface ActiveMarker {
  readonly list: string | null;
  readonly label: string | null;
  /** False with `if: false`: the executor ignores the directive. */
  readonly isActive: boolean;
}

function activeMarkers(
  markers: ReadonlyMap<string, Marker>,
  { schema, document, operationName, variableValues }: ExecutionArgs,
): ReadonlyMap<string, ActiveMarker> {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const { coerced = {} } = readVariables(schema, definitions, variableValues ?? {});
  return new Map(
    [...markers].map(([name, { directive, list }]) => {
      const definition = schema.getDirective(directive.name.value);
      // The executor reports an invalid argument.
      const values = resultOr(
        () =>
          definition &&
          getDirectiveValues(definition, { directives: [directive] }, variableValuesOf(coerced)),
        undefined,
      );
      const label = typeof values?.label === 'string' ? values.label : null;
      return [name, { list, label, isActive: values?.if !== false }];
    }),
  );
}

interface Pending {
  readonly id: string;
  readonly path: Path;
  readonly label?: string;
}

/** Announces, delivers and completes the later parts of one response. */
class AnnouncedParts {
  readonly #markers: ReadonlyMap<string, ActiveMarker>;
  /** By label and path; null once it is completed. */
  readonly #ids = new Map<string, string | null>();
  /** The paths of the objects that are known to have a deferred fragment. */
  readonly #objects = new Set<string>();

  constructor(markers: ReadonlyMap<string, ActiveMarker>) {
    this.#markers = markers;
  }

  convert({ incremental: records = [], ...part }: ExecutedPart): object {
    const pending = this.#announceIn(part.data, []);
    if (part.hasNext === undefined) return part;
    const incremental: object[] = [];
    const completed: object[] = [];
    for (const { path, label, data, items, errors } of records) {
      const isList = items !== undefined;
      const key = keyOf(label, isList ? path.slice(0, -1) : path);
      // A fragment inside another one of the same object may be ready before it.
      if (!this.#ids.has(key) && !isList && this.#objects.has(keyOf('', path))) {
        pending.push(...this.#announce(label, path));
      }
      const id = this.#ids.get(key);
      // It is below a fragment that failed, or is the second result of a fragment that is selected twice.
      if (!id) continue;
      if ((isList ? items : data) === null) {
        completed.push({ id, errors });
        this.#ids.set(key, null);
        continue;
      }
      pending.push(
        ...(isList
          ? this.#announceIn(items, path.slice(0, -1), Number(path.at(-1)))
          : this.#announceIn(data, path)),
      );
      incremental.push({ id, ...(isList ? { items } : { data }), ...(errors && { errors }) });
      if (isList) continue;
      completed.push({ id });
      this.#ids.set(key, null);
    }
    // The executor does not report the end of a list.
    if (!part.hasNext) for (const id of this.#ids.values()) if (id) completed.push({ id });
    return {
      ...part,
      ...(pending.length > 0 && { pending }),
      ...(incremental.length > 0 && { incremental }),
      ...(completed.length > 0 && { completed }),
    };
  }

  /** Removes the markers below a value; `from` is the index of the first item. */
  #announceIn(value: unknown, path: Path, from = 0): Pending[] {
    if (Array.isArray(value)) {
      return value.flatMap((item, at) => this.#announceIn(item, [...path, from + at]));
    }
    if (typeof value !== 'object' || value === null) return [];
    const object = value as Record<string, unknown>;
    const found: Pending[] = [];
    for (const name of Object.keys(object)) {
      const marker = this.#markers.get(name);
      if (!marker) {
        found.push(...this.#announceIn(object[name], [...path, name]));
        continue;
      }
      delete object[name];
      if (!marker.isActive) continue;
      if (marker.list === null) found.push(...this.#announce(name, path));
      else if (Array.isArray(object[marker.list])) {
        found.push(...this.#announce(name, [...path, marker.list]));
      }
    }
    return found;
  }

  #announce(name: string, path: Path): readonly Pending[] {
    const key = keyOf(name, path);
    if (this.#ids.has(key)) return [];
    const id = `${this.#ids.size}`;
    const { label = null } = this.#markers.get(name) ?? {};
    this.#ids.set(key, id);
    this.#objects.add(keyOf('', path));
    return [{ id, path, ...(label !== null && { label }) }];
  }
}

const keyOf = (label: string, path: Path): string => JSON.stringify([label, ...path]);

interface CheckedStream {
  /** Ends the stream when its request is refused now. */
  check(): Promise<void>;
}

/** The open responses that have several parts. */
export type CheckedStreams = Set<CheckedStream>;

interface CheckedPartsOptions {
  readonly request: HttpRequest;
  readonly rules: Rules;
  readonly streams: CheckedStreams;
}

type ResultPart = IteratorResult<ExecutionResult, undefined>;

const end: ResultPart = { value: undefined, done: true };

/**
 * The parts as the client receives them. A refused part is replaced by its error, and is the last one. `check` refuses the
 * next part while the stream waits for it.
 */
export function checkedParts(
  parts: AsyncIterable<ExecutionResult>,
  { request, rules, streams }: CheckedPartsOptions,
): AsyncIterableIterator<ExecutionResult, undefined> {
  const source = parts[Symbol.asyncIterator]();
  let isOpen = true;
  /** Sends the next part; null while the client does not wait for one. */
  let send: ((part: ResultPart) => void) | null = null;

  const close = () => {
    if (!isOpen) return end;
    isOpen = false;
    streams.delete(stream);
    // The stream ends in any case.
    source.return?.().catch(() => undefined);
    return end;
  };
  const finish = (part: ExecutionResult): ResultPart => ({
    value: rules.finishResult(part, request, true),
    done: false,
  });
  const refuse = (error: GraphQLError): ResultPart => {
    close();
    return finish({ errors: [error] });
  };
  const stream: CheckedStream = {
    async check() {
      const error = await rules.check('onPart', request);
      if (!error || !send || !isOpen) return;
      send(refuse(error));
    },
  };
  const readNext = async (): Promise<ResultPart> => {
    const part = await source.next();
    if (part.done || !isOpen) return close();
    const error = await rules.check('onPart', request);
    if (!isOpen) return end;
    return error ? refuse(error) : finish(part.value);
  };
  streams.add(stream);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (!isOpen) return Promise.resolve(end);
      return new Promise<ResultPart>((resolve, reject) => {
        send = resolve;
        readNext().then(
          (part) => {
            // Before the client waits for the part after this one.
            send = null;
            resolve(part);
          },
          (error: unknown) => {
            close();
            reject(error);
          },
        );
      });
    },
    return: async () => close(),
  };
}
