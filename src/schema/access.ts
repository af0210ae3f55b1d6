import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  getArgumentValues,
} from 'graphql';
import {
  type AccessScope,
  allAccessScopes,
  type Caller,
  forbidden,
  mayAny,
  needsUnbound,
} from '../kernel/caller.ts';
import { Fault } from '../kernel/faults.ts';
import { shownState } from '../kernel/purchase-states.ts';
import type { Scope } from '../scope/scope.ts';
import { fieldsIn } from './look-ahead.ts';

type Scopes = readonly AccessScope[];

/** A field, as far as it decides who may select it. */
interface Guarded {
  readonly extensions?:
    | { readonly access?: Scopes; readonly ofAccount?: boolean | undefined }
    | null
    | undefined;
}

/** The scopes of which a caller needs one to select the field; empty when the field requires none. */
export const neededFor = ({ extensions }: Guarded): Scopes => extensions?.access ?? [];

type Reader = Pick<Caller, 'scopes' | 'customer'>;

export const maySelect = (caller: Reader, field: Guarded): boolean =>
  refusalOf(caller, field) === null;

/** The refusal of a caller that must not select the field; null when it may. */
function refusalOf(caller: Reader, field: Guarded): Fault | null {
  const needed = neededFor(field);
  if (needed.length > 0 && !mayAny(caller, needed)) return forbidden(caller, needed);
  return field.extensions?.ofAccount && caller.customer !== null ? needsUnbound : null;
}

type FieldConfig = PothosOutputFieldConfig<SchemaTypes>;
/** Its context is a `Scope`. */
type Resolver = GraphQLFieldResolver<unknown, object, object>;

/**
 * Adds the field options `accessScopes` and `ofAccount`. The resolver of such a field refuses a caller without any of the
 * scopes, its description names them, and `extensions.access` lists them. Each mutation is recorded.
 */
class AccessPlugin extends BasePlugin<SchemaTypes> {
  override onOutputFieldConfig(config: FieldConfig) {
    const { accessScopes, ofAccount } = config.pothosOptions;
    if (!accessScopes) return config;
    const isAny = accessScopes.length === allAccessScopes.length;
    const names = accessScopes.map((name) => `\`${name}\``).join(' or ');
    return {
      ...config,
      description:
        `${config.description ?? ''} Needs ${isAny ? 'any scope' : names}.${ofAccount ? ' Refused to callers that are bound to a customer.' : ''}`.trim(),
      extensions: { ...config.extensions, access: accessScopes, ...(ofAccount && { ofAccount }) },
    };
  }

  override wrapResolve(resolve: Resolver, config: FieldConfig): Resolver {
    // `wrapSubscribe` checks a subscription once, before its first event.
    if (config.parentType === 'Subscription') return resolve;
    const guarded = guard(resolve, config);
    return config.parentType === 'Mutation' ? recorded(guarded, config) : guarded;
  }

  override wrapSubscribe(subscribe: Resolver | undefined, config: FieldConfig) {
    return subscribe && guard(subscribe, config);
  }
}

const guard = (resolve: Resolver, field: Guarded): Resolver =>
  neededFor(field).length === 0
    ? resolve
    : (root, args, context, info) => {
        assertMayRead(context as Scope, field, root as RecordedParent);
        return resolve(root, args, context, info);
      };

/** The reads that are recorded, by the scope that they need. */
const recordedReads: Readonly<Partial<Record<AccessScope, string>>> = {
  'authcode:read': 'authcode.read',
  'contacts:read': 'contacts.read',
};

/** The parent of a field with secrets: a domain, or a contact of one. */
type RecordedParent = { readonly name?: string; readonly domain?: string } | null | undefined;

/** A refused read of secrets has an entry. @throws Fault `FORBIDDEN` when the caller must not select the field. */
export function assertMayRead(scope: Scope, field: Guarded, parent: RecordedParent): void {
  const refusal = refusalOf(scope.caller, field);
  if (!refusal) return;
  const [read] = neededFor(field).flatMap((one) => recordedReads[one] ?? []);
  const subject = parent?.domain ?? parent?.name ?? null;
  if (read) scope.recorder.refused(read, subject, refusal.code);
  throw refusal;
}

/** The members of a mutation's input that its entry and a refusal need. */
interface MutationInput {
  readonly domain?: string;
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string | null;
}

interface RefusedMutation {
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly refusal: Fault;
}

type Domains = string | readonly string[] | null;

interface RecordedMutation {
  readonly extensions?:
    | {
        /** The domain or the domains, where the input has no member `domain`. */
        readonly recordedDomains?: (input: unknown, scope: Scope) => Domains | Promise<Domains>;
        /** Whether it makes a purchase, whose state is its outcome. */
        readonly purchase?: boolean;
      }
    | null
    | undefined;
}

/** A mutation with an entry, which is stored before the mutation runs. */
const recorded =
  (resolve: Resolver, { extensions }: RecordedMutation): Resolver =>
  async (root, args: { input?: MutationInput }, context, info) => {
    const scope = context as Scope;
    await assertMayAll(scope, info);
    const { input } = args;
    let hasBegun = false;
    const run = async () => {
      hasBegun = true;
      return resolve(root, args, context, info) as Promise<MutationPayload>;
    };
    try {
      const write = await recordedWrite(info.fieldName, input, extensions, scope);
      return await scope.recorder.write(write, run, outcomeOf(extensions?.purchase === true));
    } catch (error) {
      const isUnrecorded = error instanceof Fault && error.code === 'JOURNAL_UNAVAILABLE';
      if (hasBegun || !isUnrecorded) throw error;
      // The payloads of purchases and orders have these flags.
      const keyUsed = (input?.idempotencyKey ?? scope.idempotencyKey) !== null;
      return { errors: [error], keyUsed, replayed: false, dryRun: false };
    }
  };

async function recordedWrite(
  operation: string,
  input: MutationInput | undefined,
  extensions: RecordedMutation['extensions'],
  scope: Scope,
) {
  const found = input?.domain ?? (await extensions?.recordedDomains?.(input, scope)) ?? [];
  const names = [found].flat();
  const [subject = null, ...others] = names;
  const isOne = others.length === 0;
  return {
    ...{ operation, input, isDryRun: input?.dryRun === true },
    ...{ subject: isOne ? subject : null, subjects: isOne ? [] : names },
  };
}

/** The members of a mutation's payload that decide its recorded outcome. */
interface MutationPayload {
  readonly errors: readonly { readonly code: string }[];
  readonly purchase?: { readonly state: string } | null;
}

const outcomeOf =
  (isPurchase: boolean) =>
  ({ errors, purchase }: MutationPayload): string =>
    errors[0]?.code ?? (isPurchase && purchase ? shownState(purchase.state) : 'OK');

/**
 * Refuses the first of several mutations when a later one is forbidden. The later error would null the whole response, and
 * with it the payload of a purchase that was already sent. The first forbidden one has an entry with the number of all.
 */
async function assertMayAll(scope: Scope, info: GraphQLResolveInfo): Promise<void> {
  const known = info.parentType.getFields();
  const refused: RefusedMutation[] = [];
  for (const node of fieldsIn(info.operation.selectionSet.selections, info)) {
    const field = known[node.name.value];
    const refusal = field && refusalOf(scope.caller, field);
    if (refusal) refused.push({ field, node, refusal });
  }
  const [first] = refused;
  if (!first) return;
  const { field, node, refusal } = first;
  const { input } = getArgumentValues(field, node, info.variableValues) as {
    input?: MutationInput;
  };
  const write = await recordedWrite(field.name, input, field.extensions, scope);
  scope.recorder.refusedWrite(write, refusal.code, refused.length);
  throw refusal;
}

const pluginName = 'access';
SchemaBuilder.registerPlugin(pluginName, AccessPlugin);

export { pluginName as accessPlugin };

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin;
    }

    // The parameters repeat those of the declaration in Pothos, as merging requires.
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** The caller needs one of these scopes; see `needs`. */
      accessScopes?: readonly AccessScope[];
      /** Whether it is about the whole account. It needs `accessScopes` too. */
      ofAccount?: boolean | undefined;
    }
  }
}
