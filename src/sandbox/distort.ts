import { isObject } from './http.ts';

/** A PHP warning that is printed before the JSON. */
export const phpWarning =
  '<br />\n<b>Warning</b>:  Undefined array key "trace" in <b>/srv/api/index.php</b> on line <b>42</b><br />\n';

export const badGatewayPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n';

/** Members that change their type, with the new value. */
const wrongLeaves: Readonly<Record<string, unknown>> = {
  ID: '',
  Status: 7,
  LockStatus: 1,
  PrivacyProtectionStatus: [],
  RemainingDays: 'many',
  Expiration: 'soon',
  TotalCount: 'a lot',
  NameServers: 'none',
  Price: { amount: 1 },
  Period: 'one',
  IsFee: 'maybe',
  id: 'x',
  minperiod: null,
  balance: null,
  IPAdresses: 5,
};

const mapNames = new Set([
  'Contacts',
  'contacts',
  'Dates',
  'Additional',
  'Address',
  'Phone',
  'pricing',
  'currencies',
  'availability',
]);

export const withWrongTypes = (value: unknown): unknown =>
  replace(value, (key) => (Object.hasOwn(wrongLeaves, key) ? [wrongLeaves[key]] : null));

/** Every object that should hold named members arrives as `[]`. */
export const withEmptyMaps = (value: unknown): unknown =>
  replace(value, (key) => (mapNames.has(key) ? [[]] : null));

function replace(value: unknown, change: (key: string) => readonly [unknown] | null): unknown {
  if (Array.isArray(value)) return value.map((item) => replace(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const changed = change(key);
      return [key, changed ? changed[0] : replace(item, change)];
    }),
  );
}
