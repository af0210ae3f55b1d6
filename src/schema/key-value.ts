import { builder } from './builder.ts';
import { valueType } from './marks.ts';

interface KeyValue {
  readonly key: string;
  readonly value: string;
}

export const KeyValueRef = builder.objectRef<KeyValue>('KeyValue').implement({
  description: 'One member of a map whose keys the service chooses.',
  extensions: valueType,
  fields: (t) => ({
    key: t.exposeString('key', { nullable: false, description: 'As the service names it.' }),
    value: t.exposeString('value', {
      nullable: false,
      description: 'Text as it came; anything else is written as JSON.',
    }),
  }),
});
