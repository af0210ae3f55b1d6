import { ada } from '../support/ada.ts';

// Values that the input rows of several samples share.

export const hosts = ['ns1.example-dns.net', 'ns2.example-dns.net'];
export const otherHosts = ['ns3.example-dns.net', 'ns4.example-dns.net'];
export const dollar = { amount: '1', currency: 'USD' };
export const person = { fields: ada };
export const other = { fields: { ...ada, lastName: 'Other' } };
const flags = { privacyProtected: true, transferLocked: false, customer: 'acme' };
export const otherDefaults = { nameServers: otherHosts, ...flags };

/** Required values of a registration, and others for them and for the choices of a customer. */
export const values = { nameServers: hosts, registrant: person, contact: person };
export const otherValues = { registrant: other, contact: other, ...otherDefaults };

export const registration = { domain: '$-a.xyz', ...values };
export const transferCode = 'Transfer-Code-01';
export const transfer = { domain: 'outside-$.co.uk', authCode: transferCode };
export const lines = [{ registration }, { transfer }];

/** Limits of a registration, and of a transfer: one without a price cannot be above a limit. */
export const limits = { maxPrice: dollar, maxCost: dollar };
const euros = { amount: '900', currency: 'EUR' };
export const freeLimits = { maxPrice: euros, maxCost: euros };
