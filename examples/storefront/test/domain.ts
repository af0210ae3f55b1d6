import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { requestsOf, type Storefront } from './storefront.ts';

/** The promises of the page of a domain. */
export function describeDomain(shop: () => Storefront): void {
  const openDomain = async (name: string) => {
    const opened = await shop().open(`#/domain/${name}`);
    await section(opened.page, 'Registration').waitFor();
    return opened;
  };
  const arm = (fault: object) => shop().gateway.admin('POST', '/faults', fault);
  const disarm = () => shop().gateway.admin('DELETE', '/faults');
  const recordOf = async (name: string) =>
    JSON.stringify(await shop().gateway.admin('GET', `/domain?name=${name}`));

  describe('the page of a domain', { timeout: 60_000 }, () => {
    test('opens from its row with the facts of the registrar, and back', async () => {
      const { page, trouble } = await shop().open('#/portfolio?text=reseller-demo.com');

      await page.getByRole('link', { name: 'reseller-demo.com' }).click();
      await page.getByRole('heading', { level: 1, name: 'reseller-demo.com' }).waitFor();

      expect(await section(page, 'Registration').textContent()).toMatch(
        /Registered.*2\d{3}Expires.*\d+ days leftRenewal\$11.49 a year/,
      );
      expect(await section(page, 'Child name servers').textContent()).toContain(
        'ns1.reseller-demo.com192.5.6.30',
      );
      expect(await section(page, 'Contacts').textContent()).toContain('Ada Sample');
      expect(await page.title()).toBe('reseller-demo.com · Maple Harbor');
      await page.goBack();
      await page.getByRole('row', { name: 'reseller-demo.com' }).waitFor();
      expect(trouble).toEqual([]);
    });

    test('reports a name that the account does not have', async () => {
      const { page } = await shop().open('#/domain/not-ours-at-all.com');

      await page.getByRole('heading', { name: 'You have no domain not-ours-at-all.com' }).waitFor();
    });

    test('stays readable when the contacts cannot be read, and reads them again', async () => {
      await arm({ fault: 'code', action: 'getcontacts', code: '999', status: 500, times: 3 });
      const { page } = await openDomain('reseller-demo.com');

      await page.getByRole('alert').filter({ hasText: 'Some values could not be read' }).waitFor();
      expect(await section(page, 'Name servers').getByRole('textbox').count()).toBe(2);
      await disarm();
      await page.getByRole('button', { name: 'Read again' }).click();

      await section(page, 'Contacts').getByText('Ada Sample').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    });

    test('stores added, changed and removed name servers in one change', async () => {
      const { page, trouble } = await openDomain('private-demo.net');
      const servers = section(page, 'Name servers');
      const requests = requestsOf(page);

      await servers.getByRole('textbox', { name: 'Name server 1' }).fill('ns1.new-home.net');
      await servers.getByRole('button', { name: 'Add a name server' }).click();
      const added = servers.getByRole('textbox', { name: 'Name server 3' });
      expect(await isFocused(added)).toBe(true);
      await added.fill('ns3.new-home.net');
      await servers
        .getByRole('button', { name: /^Remove/ })
        .nth(1)
        .click();
      await servers.getByRole('button', { name: 'Save' }).click();
      await servers.getByText('The registrar has the new name servers.').waitFor();

      expect(await hosts(page)).toEqual(['ns1.new-home.net', 'ns3.new-home.net']);
      expect(await recordOf('private-demo.net')).toContain('ns3.new-home.net');
      expect(requests.filter(({ query }) => query.includes('setNameServers'))).toHaveLength(1);
      expect(trouble).toEqual([]);
    });

    test('can be changed with the keyboard alone, and the focus stays in its section', async () => {
      const { page } = await openDomain('reseller-demo.com');
      const servers = section(page, 'Name servers');
      await servers.getByRole('textbox', { name: 'Name server 2' }).focus();
      const press = async (...keys: readonly string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };

      await press('Tab', 'Enter');
      expect(await isFocused(servers)).toBe(true);
      await press('Tab', 'Tab', 'Tab', 'Enter');
      const added = servers.getByRole('textbox', { name: 'Name server 2' });
      expect(await isFocused(added)).toBe(true);
      await page.keyboard.type('ns2.keyboard.net');
      await press('Enter');
      await servers.getByText('The registrar has the new name servers.').waitFor();

      expect(await isFocused(servers)).toBe(true);
      expect((await hosts(page))[1]).toBe('ns2.keyboard.net');
    });

    test('shows a refused host at its field, and loses nothing that was typed', async () => {
      const { page } = await openDomain('unlocked-demo.com');
      const servers = section(page, 'Name servers');
      const before = await hosts(page);
      await shop().gateway.resetCalls();

      await servers.getByRole('textbox', { name: 'Name server 2' }).fill('not a host');
      await servers.getByRole('button', { name: 'Save' }).click();
      const wrong = servers.getByRole('textbox', { name: 'Name server 2' });
      await servers.getByRole('alert').waitFor();

      expect(await wrong.getAttribute('aria-invalid')).toBe('true');
      expect(await servers.getByRole('alert').textContent()).toContain('not a host');
      expect(await wrong.getAttribute('aria-describedby')).toBe(
        await servers.getByRole('alert').getAttribute('id'),
      );
      expect(await hosts(page)).toEqual([before[0], 'not a host']);
      expect(await shop().gateway.countCalls()).not.toHaveProperty('modifynameserver');

      await wrong.fill('ns2.corrected.net');
      await servers.getByRole('button', { name: 'Save' }).click();
      await servers.getByText('The registrar has the new name servers.').waitFor();
      expect(await servers.getByRole('alert').count()).toBe(0);
    });

    test('shows an unknown outcome as not confirmed until the domain is read', async () => {
      const { page } = await openDomain('two-views-demo.com');
      const servers = section(page, 'Name servers');
      await servers.getByRole('textbox', { name: 'Name server 1' }).fill('ns1.unknown-end.net');
      // The change is made, its reply is lost, and the reads that could verify it fail.
      await arm({ fault: 'lost-answer', action: 'modifynameserver', times: 5 });
      await arm({ fault: 'reset', action: 'getdetails', times: 20 });

      await servers.getByRole('button', { name: 'Save' }).click();
      await servers.getByText('Not confirmed.').waitFor();
      expect(await servers.getByText('has the new name servers').count()).toBe(0);
      expect((await hosts(page))[0]).toBe('ns1.unknown-end.net');
      await servers.getByRole('button', { name: 'Read again' }).click();
      await page.getByRole('alert').waitFor();
      expect(await servers.getByText('Not confirmed.').count()).toBe(1);

      await disarm();
      await servers.getByRole('button', { name: 'Read again' }).click();
      await servers.getByText('The page shows the present values.').waitFor();
      expect(await servers.textContent()).toContain('At the registrar: ns1.unknown-end.net');
      expect(await servers.getByText('Not confirmed.').count()).toBe(0);
    });

    test('is not confirmed either when the response never reached the browser', async () => {
      const { page } = await openDomain('drifted-demo.com');
      const privacy = section(page, 'Privacy');
      await page.route('**/graphql', async (route) => {
        if (!isChange(route.request().postData())) return route.continue();
        await route.fetch();
        await route.abort();
      });

      await privacy.getByRole('switch').click();
      await privacy.getByText('Not confirmed.').waitFor();
      expect(await privacy.getByRole('switch').getAttribute('aria-checked')).toBe('false');
      await privacy.getByRole('button', { name: 'Read again' }).click();

      await privacy.getByRole('switch', { checked: true }).waitFor();
    });

    test('switches privacy on and off', async () => {
      const { page, trouble } = await openDomain('reseller-demo.com');
      const privacy = section(page, 'Privacy');
      await privacy.getByRole('switch', { checked: false }).focus();
      await page.keyboard.press('Space');
      await privacy.getByText('The contacts are hidden.').waitFor();
      await privacy.getByRole('switch', { checked: true }).click();
      await privacy.getByText('The contacts are public.').waitFor();

      expect(trouble).toEqual([]);
    });

    test('removes the transfer lock only after a confirmation', async () => {
      const { page, trouble } = await openDomain('delayed-glue-demo.com');
      const lock = section(page, 'Transfer lock');
      const requests = requestsOf(page);
      await lock.getByRole('button', { name: 'Unlock' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.textContent()).toContain('The registrar cannot lock it again.');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await lock.getByRole('button', { name: 'Unlock' }).click();
      await dialog.getByRole('button', { name: 'Leave it locked' }).click();
      expect(requests.filter(({ query }) => isChange(query))).toEqual([]);

      await lock.getByRole('button', { name: 'Unlock' }).click();
      await dialog.getByRole('button', { name: 'Unlock for good' }).click();
      await lock.getByText('The lock is removed.').waitFor();

      expect(await lock.textContent()).toContain('Unlocked.');
      expect(requests.filter(({ query }) => query.includes('disableTransferLock'))).toHaveLength(1);
      expect(trouble).toEqual([]);
    });

    test('requests the auth code at a click only, and hides it when the page is left', async () => {
      const { page } = await openDomain('reseller-demo.com');
      const requests = requestsOf(page);
      await page.getByRole('button', { name: 'Read again' }).click();
      await page.getByRole('button', { name: 'Read again' }).waitFor();
      expect(requests.map(({ query }) => query).join()).not.toMatch(/authCode/i);

      const secret = section(page, 'Auth code');
      await secret.getByRole('button', { name: 'Show the auth code' }).click();
      const code = (await secret.locator('output').textContent()) ?? '';
      expect(await recordOf('reseller-demo.com')).toContain(JSON.stringify(code));
      expect(await storageOf(page)).not.toContain(code);

      await page.getByRole('link', { name: 'All domains', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor();
      expect(await page.locator('body').textContent()).not.toContain(code);
      await page.goBack();
      await secret.getByRole('button', { name: 'Show the auth code' }).waitFor();
      expect(await page.locator('body').textContent()).not.toContain(code);
      const known = requests.filter(({ query }) => /authCode/.test(query));
      expect(known).toHaveLength(1);
    });

    test('adds a child name server, with a refused address at its field', async () => {
      const { page } = await openDomain('reseller-demo.com');
      const children = section(page, 'Child name servers');
      await children.getByText('Add a child name server').click();
      await children.getByRole('textbox', { name: 'Host' }).fill('ns9.reseller-demo.com');
      const address = children.getByRole('textbox', { name: 'IP address' });
      await address.fill('10.0.0.1');
      await children.getByRole('button', { name: 'Add', exact: true }).click();
      await children.getByRole('alert').filter({ hasText: 'public address' }).waitFor();
      expect(await address.getAttribute('aria-invalid')).toBe('true');

      await address.fill('8.8.4.4');
      await children.getByRole('button', { name: 'Add', exact: true }).click();
      await children.getByText('ns9.reseller-demo.com').waitFor();
      expect(await children.textContent()).toContain('8.8.4.4');
    });

    test('shows the changes of a synchronisation and what differs still, in words', async () => {
      const { page } = await openDomain('drifted-demo.com');
      const registry = section(page, 'Registry');
      await registry.getByRole('button', { name: 'Synchronise' }).click();
      await registry.getByText('Transfer lock: off → on').waitFor();
      await registry.getByText('Account and registry agree.').waitFor();

      await page.goto(page.url().replace('drifted', 'two-views'));
      await registry.getByRole('button', { name: 'Synchronise' }).click();
      await registry
        .getByText('Transfer lock still differs: off in the account, on at the registry.')
        .waitFor();
    });
  });
}

/** The promises of the events of a domain; the gateway of `shop` has them on. */
export function describeEvents(shop: () => Storefront): void {
  test('the events of a domain are on its page in words, newest first', async () => {
    const name = 'private-demo.net';
    const { gateway, query } = shop();
    // The first comparison stores the states only, and has ended when the second one begins.
    await gateway.resetCalls();
    await expect
      .poll(async () => (await gateway.countCalls()).getdomainlist, { timeout: 20_000 })
      .toBeGreaterThan(1);
    const send = (mutation: string) => query(`mutation { ${mutation} { errors { code } } }`);
    const count = async () =>
      (await query(`{ events(filter: { domain: "${name}" }) { totalCount } }`)).data.events
        .totalCount;
    await send(
      `setNameServers(input: { domain: "${name}", nameServers: ["a.one.net", "b.one.net"] })`,
    );
    await expect.poll(count, { timeout: 20_000 }).toBe(1);

    const { page } = await shop().open(`#/domain/${name}`);
    const events = section(page, 'Events').getByRole('listitem');
    await events.first().waitFor();
    await section(page, 'Privacy').getByRole('switch', { checked: true }).click();
    // The change of this page arrives without another reading of the page.
    await events.nth(1).waitFor();
    // Another client's change is an event, and the value on the page.
    await send(
      `setNameServers(input: { domain: "${name}", nameServers: ["c.one.net", "d.one.net"] })`,
    );
    await events.nth(2).waitFor();
    await expect.poll(() => hosts(page)).toEqual(['c.one.net', 'd.one.net']);

    expect(await events.allTextContents()).toEqual([
      expect.stringMatching(/by staff:staff *Name servers: .* → c\.one\.net, d\.one\.net/),
      expect.stringMatching(/by staff:staff *Privacy: on → off/),
      expect.stringMatching(/by staff:staff *Name servers: .* → a\.one\.net, b\.one\.net/),
    ]);
    await page.goto(page.url().replace('private-demo.net', 'reseller-demo.com'));
    await section(page, 'Events').getByText('No change of this domain was found so far.').waitFor();
  });
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const hosts = (page: Page) =>
  section(page, 'Name servers')
    .getByRole('textbox')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

const isFocused = (field: ReturnType<Page['locator']>) =>
  field.evaluate((element) => element === document.activeElement);

const isChange = (body: string | null) => body?.includes('mutation') === true;

const storageOf = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
