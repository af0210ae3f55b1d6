import { type DomainName, isLookalike, unicodeName } from '../kernel/domain-name.ts';
import type { InputFieldBuilder, ObjectFieldBuilder } from './builder.ts';

/** The fields `name`, `unicodeName` and `lookalike` of a type that describes one domain name. */
export const domainNameFields = (t: ObjectFieldBuilder<{ readonly name: DomainName }>) => ({
  name: t.expose('name', {
    type: 'DomainName',
    nullable: false,
    description: 'The name in lower-case ASCII.',
  }),
  unicodeName: t.string({
    nullable: false,
    description: 'The name in Unicode; a deceptive label remains in its `xn--` form.',
    resolve: ({ name }) => unicodeName(name),
  }),
  lookalike: t.boolean({
    nullable: false,
    description:
      'Whether the name mixes scripts, or imitates Latin letters with letters of another script.',
    resolve: ({ name }) => isLookalike(name),
  }),
});

/** The `domain` field of a mutation's input. It is a string, so that an invalid name is reported in `errors`. */
export const domainField = (t: InputFieldBuilder, what: string) =>
  t.string({ required: true, description: `${what}, in any spelling of \`DomainName\`.` });
