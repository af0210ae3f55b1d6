import { closeSync } from 'node:fs';
import {
  checkInput,
  chooseTenant,
  openInput,
  printProgress,
  RefusedRows,
  readFileArguments,
  readInput,
  runCommand,
} from '../../console/program.ts';
import { recordedCommand } from '../../console/recorded-command.ts';
import { checkCustomer } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { CsvError, type CsvRecord, readCsvRecords } from '../../lib/csv.ts';
import { commandFor } from '../../lib/programs.ts';
import { systemClock, systemRandomness } from '../../lib/system.ts';
import { canonicalContact, contactToWire } from '../../modules/contact/contact-input.ts';
import { checkName } from '../../modules/mutation/check-name.ts';
import { createChecks } from '../../modules/mutation/checks.ts';
import type { CommandContext } from '../../seam/feature.ts';
import { profileSettings } from './settings.ts';
import { createProfileStore, type NewContactProfile, profileSeal } from './store.ts';

const required = ['name', 'firstName', 'lastName', 'email', 'phone', 'line1', 'city', 'country'];
const optional = ['customer', 'company', 'line2', 'state', 'zipCode'];

const help = `Saves contact profiles from a file.

Usage: ${commandFor('profiles', '[--tenant name] import FILE')}

  FILE           CSV with a first row that names the columns, in any order:
                 ${required.join(', ')};
                 and perhaps ${optional.join(', ')}.
                 A row without a customer is a profile of the reseller. The same customer and name again
                 replaces the contact. A row that is not valid is reported by its line; the others are saved, and
                 the exit code is 1.
  --tenant name  The tenant, by its name in TENANTS; required with several.

The settings are those of the gateway, with PROFILES_KEY; see ${commandFor('start', '--help')}.
`;

/** Profiles of one statement, and between two reports of the progress. */
const profilesPerStep = 500;

export const runProfiles = (context: CommandContext): Promise<void> =>
  runCommand('profiles', help, (args) => importProfiles(context, args));

async function importProfiles(
  { readConfig, openAccount }: CommandContext,
  args: string[],
): Promise<string> {
  const { file, tenant } = readFileArguments(args, ['import']);
  const fd = openInput(file);
  const config = readConfig();
  const chosen = chooseTenant(config, tenant);
  await checkInput(fd);
  const { journal, account, trail } = await openAccount(config, chosen);
  const { PROFILES_KEY } = profileSettings.of(config);
  const store = createProfileStore(journal.database, profileSeal(PROFILES_KEY));
  const refused = new RefusedRows();
  let saved = 0;
  const waiting = new Map<string, NewContactProfile>();
  const save = async () => {
    if (waiting.size > 0) await store.save(account, [...waiting.values()], systemClock.now());
    waiting.clear();
    printProgress(`${saved} profiles`);
  };
  const saveAll = async () => {
    for await (const row of readCsvRecords(readInput(fd), { required, optional })) {
      const profile = readProfile(row, refused);
      if (!profile) continue;
      saved += 1;
      waiting.set(JSON.stringify([profile.customer, profile.name]), profile);
      if (waiting.size === profilesPerStep) await save();
    }
    await save();
  };
  try {
    await recordedCommand({ trail, tenant: chosen.name }, 'profiles.import', async () => {
      await saveAll().catch(async (error: unknown) => {
        if (!(error instanceof CsvError)) throw error;
        await save();
        throw invalidInput(`${error.message} Rows before it that were saved: ${saved}.`);
      });
    });
  } finally {
    await journal.close();
    closeSync(fd);
    printProgress('');
    refused.print('profiles');
  }
  return `Profiles saved: ${saved}; rows refused: ${refused.count}.`;
}

/** The profile of a row; null, with the row added to the refused ones, when it is not valid. */
function readProfile(
  { line, values }: CsvRecord<string>,
  refused: RefusedRows,
): NewContactProfile | null {
  const { name = '', customer = null, firstName = '', lastName = '', company } = values;
  const {
    email = '',
    phone = '',
    line1 = '',
    line2,
    city = '',
    state,
    zipCode,
    country = '',
  } = values;
  const checks = createChecks();
  const address = { line1, line2, city, state, zipCode, country };
  const contact = { firstName, lastName, company, email, phone, address };
  const canonicalName = checkName(checks, name);
  const owner =
    customer === null ? null : checks.check(['customer'], () => checkCustomer(customer));
  contactToWire(checks, [], contact);
  if (checks.faults.length > 0) {
    refused.add(line, checks.faults);
    return null;
  }
  const text = JSON.stringify(canonicalContact(contact));
  return {
    id: systemRandomness.uuid(),
    customer: owner ?? null,
    name: canonicalName,
    contact: text,
  };
}
