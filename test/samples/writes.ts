import { rootSamples, unknownTarget } from './all.ts';
import { requestsOf } from './document-of.ts';
import type { Write } from './sample.ts';

type Lost = Write['lost'];

/** The mutations whose write has such an outcome after a lost reply. `input` returns null for one without an input. */
export const writesOf = <Outcome extends Lost>(...lost: readonly Outcome[]) =>
  rootSamples.flatMap((sample) => {
    const write = sample.write as Extract<Write, { readonly lost: Outcome }> | undefined;
    if (!write || !lost.includes(write.lost as Outcome)) return [];
    const input = (domain: string) => {
      const [values] = requestsOf(sample, unknownTarget(domain));
      return (values?.input ?? null) as { readonly domain?: string } | null;
    };
    return [{ name: sample.field.replace('Mutation.', ''), action: write.action, write, input }];
  });

/** Those of them whose input has a domain. */
export const domainWritesOf = (...lost: readonly Lost[]) =>
  writesOf(...lost).filter(({ input }) => input('a.com')?.domain !== undefined);
