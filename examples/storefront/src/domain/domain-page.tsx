import { StateBadge } from '../portfolio/state-badge.tsx';
import { isStaff } from '../session/session.ts';
import { LinkButton } from '../shared/buttons.tsx';
import { DomainLabel } from '../shared/domain-label.tsx';
import { Empty } from '../shared/empty.tsx';
import { AuthCode } from './auth-code.tsx';
import { ChildNameServers } from './child-name-servers.tsx';
import { Contacts } from './contacts.tsx';
import type { Domain } from './documents.ts';
import { Events } from './events.tsx';
import { Facts } from './facts.tsx';
import { NameServers } from './name-servers.tsx';
import { Privacy } from './privacy.tsx';
import { Synchronisation } from './synchronisation.tsx';
import { TransferLock } from './transfer-lock.tsx';
import { useDomain } from './use-domain.ts';

/** What a section of the page needs. */
export interface SectionProps {
  readonly domain: Domain;
  readonly reread: () => Promise<boolean>;
}

/** One domain of the account, with every change that the registrar offers. */
export function DomainPage({ name }: { readonly name: string }) {
  const { domain, isReading, isMissing, problem, reread } = useDomain(name);
  if (isMissing)
    return <Empty title={`You have no domain ${name}`} href="#/portfolio" link="To your domains" />;
  return (
    <>
      <div className="trail">
        <a href="#/portfolio">All domains</a>
        <LinkButton aria-disabled={isReading} onClick={() => void (isReading || reread())}>
          {isReading ? 'Reading …' : 'Read again'}
        </LinkButton>
      </div>
      <div className="domain-head">
        <h1>
          <DomainLabel name={domain?.unicodeName ?? name} />
        </h1>
        {domain && <StateBadge row={domain} />}
      </div>
      {problem && (
        <p className="notice notice-bad" role="alert">
          {domain ? 'Some values could not be read. ' : ''}
          {problem}
        </p>
      )}
      {domain && <Sections domain={domain} reread={reread} />}
    </>
  );
}

const Sections = (props: SectionProps) => (
  <div className="sections">
    <div>
      <Facts domain={props.domain} />
      <NameServers {...props} />
      <ChildNameServers {...props} />
      <Contacts domain={props.domain} />
    </div>
    <div>
      <Privacy {...props} />
      <TransferLock {...props} />
      <AuthCode name={props.domain.name} />
      {isStaff && <Synchronisation {...props} />}
      <Events {...props} />
    </div>
  </div>
);
