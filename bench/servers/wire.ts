// What the servers that ours is measured against read of the Domain API's replies. They believe every word of it.

interface WireContact {
  readonly FirstName: string;
  readonly LastName: string;
  readonly EMail: string;
  readonly Phone: { readonly Phone: { readonly Number: string; readonly CountryCode: string } };
  readonly Address: { readonly City: string; readonly Country: string };
}

export interface WireDomain {
  readonly DomainName: string;
  readonly LockStatus: string;
  readonly Dates: { readonly Expiration: string };
  readonly NameServers: readonly string[];
}

export interface WireContacts {
  readonly Registrant: WireContact;
  readonly Administrative: WireContact;
  readonly Technical: WireContact;
  readonly Billing: WireContact;
}

export interface WireOffer {
  readonly TLD: string;
  readonly DomainName: string;
  readonly Status: string;
  readonly IsFee: boolean;
  readonly Price: string;
  readonly Currency: string;
}

type Yearly = Readonly<Record<string, string>>;

export interface WireTld {
  readonly tld: string;
  readonly pricing: Readonly<Record<string, Yearly>>;
  readonly currencies: Readonly<Record<string, string>>;
}

/** `data` of the actions that have one. */
export interface WireData {
  readonly getdomainlist: { readonly Domains: readonly WireDomain[] };
  readonly getdetails: WireDomain;
  readonly getcontacts: { readonly contacts: WireContacts };
  readonly tldlist: readonly WireTld[];
}

export interface WireBulk {
  readonly availability: Readonly<Record<string, readonly WireOffer[]>>;
}

/** Sent in every body; the mock takes any. */
export const credentials = { username: 'bench', password: 'bench-password' };

/** `2031-01-01T12:00:00.0000000` is UTC. */
export const instantOf = (zoneless: string): string =>
  new Date(`${zoneless.slice(0, 23)}Z`).toISOString();

export const tldOf = (name: string): string => name.slice(name.indexOf('.') + 1);
