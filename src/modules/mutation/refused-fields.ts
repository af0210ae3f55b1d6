import type { Fault, FaultCode } from '../../kernel/faults.ts';

/**
 * The input field of each refusal of a mutation, by the upstream's code, which has precedence, or by the fault code. Some
 * with a more exact message than that of the code.
 */
export type RefusedFields = Readonly<
  Partial<
    Record<FaultCode | `API_${number}_ERROR`, string | readonly [field: string, message: string]>
  >
>;

/**
 * The fault with the path of the field that its code implies. Unchanged when it has a path, when its code implies none, and when
 * the outcome is unknown: a field that is corrected must not be sent again then.
 */
export function withField(fault: Fault, fields: RefusedFields): Fault {
  const { upstream, code } = fault;
  if (fault.inputPath.length > 0 || code === 'OUTCOME_UNKNOWN') return fault;
  const upstreamCode = upstream?.code.replace(/_FAILURE$/, '_ERROR') ?? '';
  const about = (isUpstreamCode(upstreamCode) && fields[upstreamCode]) || fields[code];
  if (!about) return fault;
  if (typeof about === 'string') return fault.with({ path: ['input', about] });
  const [field, message] = about;
  return fault.with({ path: ['input', field], message });
}

const isUpstreamCode = (code: string): code is `API_${number}_ERROR` =>
  /^API_\d+_ERROR$/.test(code);

/** Refusals of a change of a domain of the account. */
export const domainFields: RefusedFields = {
  NOT_FOUND: ['domain', 'The account has no such domain.'],
  NOT_OWNED: 'domain',
  NOT_ELIGIBLE: 'domain',
  LOCKED: 'domain',
};

/** Refusals of a list of name servers. */
export const nameServerFields = {
  API_560_ERROR: ['nameServers', 'The registry does not accept this number of name servers.'],
  API_561_ERROR: ['nameServers', 'The registry needs name servers.'],
  API_594_ERROR: ['nameServers', 'One of the name servers does not resolve to an address.'],
} satisfies RefusedFields;

/** Refusals of both purchases. */
const purchaseFields: RefusedFields = {
  ...domainFields,
  PERIOD_OUT_OF_RANGE: 'period',
  TLD_UNSUPPORTED: 'domain',
  ALREADY_OWNED: 'domain',
  TRANSFER_PENDING: 'domain',
};

const registerDomainFields: RefusedFields = {
  ...purchaseFields,
  ...nameServerFields,
  NOT_AVAILABLE: 'domain',
  RESERVED: 'domain',
  PREMIUM_UNAVAILABLE: 'domain',
  ALREADY_EXISTS: ['domain', 'This domain is already registered.'],
  INVALID_CONTACT: 'registrant',
  API_550_ERROR: ['domain', 'The TLD does not accept a label of this length.'],
  API_330_ERROR: [
    'registrant',
    'The registry requires registrant data that this API does not support.',
  ],
};

const transferDomainFields: RefusedFields = {
  ...purchaseFields,
  AUTH_CODE_REQUIRED: 'authCode',
  AUTH_CODE_INVALID: 'authCode',
  LOCKED: ['domain', 'The status of the domain at the registry does not allow a transfer.'],
  API_592_ERROR: [
    'domain',
    'The domain is locked against transfer (clientTransferProhibited); unlock it at its current registrar first.',
  ],
};

/** Refusals of each kind of purchase. */
export const purchaseFieldsOf = {
  REGISTRATION: registerDomainFields,
  TRANSFER: transferDomainFields,
};
