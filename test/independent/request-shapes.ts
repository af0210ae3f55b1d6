// The requests of the specification, "Endpoints", as tables. A name with `?` may be absent.

type Type = 'string' | 'integer' | 'number' | 'boolean' | readonly [Type] | Members;

interface Members {
  readonly [name: string]: Type;
}

const registrant = {
  FirstName: 'string',
  LastName: 'string',
  Company: 'string',
  EMail: 'string',
  AddressLine1: 'string',
  City: 'string',
  State: 'string',
  ZipCode: 'string',
  Country: 'string',
  Phone: 'string',
  PhoneCountryCode: 'integer',
} as const;

const named = { domain: 'string' } as const;

/** Members of the body beside the credentials, by action. */
const reads: Readonly<Record<string, Members>> = {
  getcontacts: named,
  getdetails: named,
  getdomainlist: {},
  singlecheckavailability: named,
  bulkcheckavailability: { domains: ['string'] },
  tldlist: { count: 'integer' },
  resellerdetails: {},
};

const writes: Readonly<Record<string, Members>> = {
  registerdomain: {
    ...named,
    period: 'integer',
    contact: { ...registrant, 'AddressLine2?': 'string' },
    registrant,
    nameservers: ['string'],
    privacyProtection: 'boolean',
    eppLock: 'boolean',
  },
  transferdomain: { ...named, authCode: 'string', period: 'integer' },
  modifynameserver: { ...named, nameservers: { ns1: 'string', ns2: 'string' } },
  addchildnameserver: { ...named, nameServer: 'string', ipAddress: 'string' },
  disabletheftlock: named,
  modifyprivacystatus: { ...named, status: 'boolean', 'reason?': 'string' },
  syncfromregistry: named,
};

const cartItem = {
  description: 'string',
  quantity: 'number',
  price: 'number',
  total: 'number',
  productType: 'string',
} as const;

/** The body by method and path; null for a call without a body. */
const accountApi: Readonly<Record<string, Members | null>> = {
  'POST /auth/logout': null,
  'POST /carts': { cartDetails: [cartItem] },
  'PATCH /hosting/group/{id}': {
    'hostingGroupName?': 'string',
    'hostingGroupDescription?': 'string',
    'hostingGroupImage?': 'string',
  },
  'DELETE /hosting/group': null,
  'DELETE /logs': null,
};

/** The 19 operations. */
export const operations = {
  reads: Object.keys(reads),
  writes: [...Object.keys(writes), ...Object.keys(accountApi)],
};

export interface Login {
  readonly username: string;
  readonly password: string;
  /** Of the Account API. */
  readonly token: string;
}

/** One request, as it arrived. */
export interface SeenRequest {
  /** An action of the Domain API, or a method and a path of the Account API, such as `PATCH /hosting/group/{id}`. */
  readonly operation: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What the request has that the specification does not describe, one sentence each. */
export function violationsOf(request: SeenRequest, login: Login): readonly string[] {
  const { operation, method, path, headers } = request;
  const isDomainApi = !operation.includes('/');
  const { username, password, token } = login;
  const shape = { ...reads, ...writes, ...accountApi }[operation];
  if (shape === undefined) return [`${operation} is no operation`];
  const authorization = isDomainApi ? undefined : `Bearer ${token}`;
  const typeName = headers['content-type'];
  const hasJson = typeof typeName === 'string' && typeName.startsWith('application/json');
  const found = [
    isDomainApi && method !== 'POST' && 'the method is not POST',
    isDomainApi && !path.endsWith(`/?action=${operation}`) && `the path is ${path}`,
    headers.authorization !== authorization && 'the Authorization header is wrong',
    'x-api-key' in headers && 'the key of the client was forwarded',
    hasJson !== (shape !== null) && 'the content type is wrong',
    ...(shape === null
      ? [request.body !== '' && 'there is a body']
      : isDomainApi
        ? bodyViolations(request.body, { ...shape, username: 'string', password: 'string' })
        : bodyViolations(request.body, shape)),
    isDomainApi && !hasLogin(request.body, { username, password }) && 'the credentials are wrong',
  ];
  return found.filter((one) => one !== false).map((one) => `${operation}: ${one}`);
}

function hasLogin(body: string, { username, password }: Omit<Login, 'token'>): boolean {
  const fields = JSON.parse(body);
  return fields.username === username && fields.password === password;
}

const bodyViolations = (body: string, shape: Members) =>
  mismatches(JSON.parse(body), shape, 'body');

function mismatches(value: unknown, type: Type, at: string): readonly string[] {
  if (type === 'integer') return Number.isInteger(value) ? [] : [`${at} is no integer`];
  if (typeof type === 'string') return typeof value === type ? [] : [`${at} is no ${type}`];
  if (Array.isArray(type)) {
    if (!Array.isArray(value)) return [`${at} is no array`];
    return value.flatMap((one, index) => mismatches(one, type[0], `${at}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${at} is no object`];
  }
  const members = new Map(Object.entries(value));
  const known = Object.entries(type).flatMap(([key, memberType]) => {
    const name = key.replace('?', '');
    const member = members.get(name);
    const isGiven = members.delete(name);
    if (!isGiven) return key === name ? [`${at}.${name} is absent`] : [];
    return mismatches(member, memberType, `${at}.${name}`);
  });
  return [...known, ...[...members.keys()].map((name) => `${at}.${name} is unknown`)];
}
