import { builder } from './builder.ts';
import { valueType } from './marks.ts';

interface KeyValue {
  readonly key: string;
  readonly value: string;
}

export const KeyValueRef = builder.objectRef<KeyValue>('KeyValue').implement({
  description: "A key and value from the registrar's additional data.",
  extensions: valueType,
  fields: (t) => ({
    key: t.exposeString('key', { nullable: false, description: 'Key as the registrar sends it.' }),
    value: t.exposeString('value', {
      nullable: false,
      description: 'Text as the registrar sends it; any other value as JSON.',
    }),
  }),
});
