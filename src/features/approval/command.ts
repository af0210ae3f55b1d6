import { readKeysText } from '../../config/keys-file.ts';
import { parsed, print, runCommand } from '../../console/program.ts';
import { dayMs } from '../../kernel/instant.ts';
import { commandFor, UsageError } from '../../lib/programs.ts';
import type { CommandContext } from '../../seam/feature.ts';
import { conditionsOf, either } from './conditions.ts';
import { type ApprovalFile, callersIn, parseApprovals, readApprovalsText } from './file.ts';
import { type ApprovalRule, approvalOperations } from './rules.ts';

const help = `Checks a file of approval rules.

Usage: ${commandFor('approvals', 'check FILE')}

  check FILE     Prints what each rule matches, or all faults of the file. The names of keys are those of the settings and of KEYS_FILE.

The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

const both = new Intl.ListFormat('en', { type: 'conjunction' });

export const runApprovals = ({ readConfig }: CommandContext): Promise<void> =>
  runCommand('approvals', help, ([command, file, ...more]) => {
    if (command !== 'check' || file === undefined || more.length > 0) {
      throw new UsageError('Give a command and a file: check FILE; see --help.');
    }
    const { auth } = readConfig();
    const keysText = auth.kind === 'open' ? null : readKeysText(auth.keysFile);
    const content = parsed(() =>
      parseApprovals(readApprovalsText(file), callersIn(auth, keysText)),
    );
    for (const rule of content.rules) print(wordsOf(rule));
    return summaryOf(content);
  });

function wordsOf({ position, operations, when, expiresAfterMs }: ApprovalRule): string {
  const conditions = conditionsOf(when, true);
  const hours = expiresAfterMs / (dayMs / 24);
  const expiry = `Expires after ${hours >= 1 ? `${hours} hours` : `${hours * 60} minutes`}.`;
  return [
    `rule ${position}: ${both.format(operations)}, ${conditions.length > 0 ? 'with all conditions below' : 'always'}. ${expiry}`,
    ...conditions.map((one, at) => `  ${at > 0 ? 'and ' : ''}${one}`),
  ].join('\n');
}

function summaryOf({ rules, samePerson }: ApprovalFile): string {
  const without = approvalOperations.filter(
    (one) => !rules.some(({ operations }) => operations.includes(one)),
  );
  return [
    ...samePerson.map((names) => `One person: ${both.format(names)}.`),
    'The first rule that matches counts. A request that no rule matches needs no approval.',
    ...(without.length > 0 ? [`No rule is about ${either(without)}.`] : []),
  ].join('\n');
}
