import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { configOf } from '../../../test/support/own-config.ts';
import { profileSettings } from './settings.ts';

test('the key can be in a file, in base64 or hexadecimal', async () => {
  const folder = await newFolder('profiles-key');
  const file = join(folder, 'key');
  const key = Buffer.alloc(32, 1);
  for (const text of [key.toString('base64'), key.toString('hex')]) {
    await writeFile(file, `${text}\n`);
    const { PROFILES_KEY } = profileSettings.of(configOf({ PROFILES_KEY_FILE: file }));

    expect(PROFILES_KEY?.reveal()).toBe(key.toString('base64'));
  }
  await rm(folder, { recursive: true });

  expect(profileSettings.of(configOf({})).PROFILES_KEY).toBeUndefined();
});
