import { ada } from '../../support/ada.ts';
import { transferCode } from '../purchases/shop.ts';

export const hosts = ['ns1.example-dns.net', 'ns2.example-dns.net'];
export const otherHosts = ['ns3.example-dns.net', 'ns4.example-dns.net'];
export const person = { fields: ada };
export const other = { fields: { ...ada, lastName: 'Other' } };
export const dollar = { amount: '1', currency: 'USD' };
export const values = { nameServers: hosts, registrant: person, contact: person };
export const flags = { privacyProtected: true, transferLocked: false, customer: 'acme' };
export const registration = { domain: '$-a.xyz', ...values };
export const transfer = { domain: 'outside-$.co.uk', authCode: transferCode };
export const lines = [{ registration }, { transfer }];
export const contact = {
  ...ada,
  company: 'Engines Ltd',
  address: { ...ada.address, line2: 'Room 1' },
};
