import { type DomainName, isLookalike, unicodeName } from '../kernel/domain-name.ts';
import type { InputFieldBuilder, ObjectFieldBuilder } from './builder.ts';

/** The fields of whatever is about one name: the name itself, and how a person may read it. */
export const domainNameFields = (t: ObjectFieldBuilder<{ readonly name: DomainName }>) => ({
  name: t.expose('name', {
    type: 'DomainName',
    nullable: false,
    description: 'Lower-case ASCII.',
  }),
  unicodeName: t.string({
    nullable: false,
    description: 'The name in Unicode; a label that could deceive stays in its `xn--` form.',
    resolve: ({ name }) => unicodeName(name),
  }),
  lookalike: t.boolean({
    nullable: false,
    description:
      'Whether it mixes scripts, or imitates Latin letters with those of another script.',
    resolve: ({ name }) => isLookalike(name),
  }),
});

/** The `domain` of a mutation's input: text, so that a text that is not a name is reported in `errors`. */
export const domainField = (t: InputFieldBuilder, what: string) =>
  t.string({ required: true, description: `${what}, in any spelling of \`DomainName\`.` });
