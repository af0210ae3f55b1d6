import { getTypeBrand } from '@pothos/core';
import { builder } from '../../schema/builder.ts';
import type { ObjectRefOf } from '../../schema/connection.ts';
import type { Scope } from '../../scope/scope.ts';
import type { Approval } from './store.ts';

export const decideScope = 'approvals:decide';

/** What the approvals of one kind of job are about. */
interface SubjectKind<Subject extends object> {
  readonly type: ObjectRefOf<Subject>;
  /** Null when the caller may not read it. */
  readonly load: (approval: Approval, scope: Scope) => Promise<Subject | null> | Subject | null;
  /** The fields that the page of one approval shows. Fields of several types under one name have the same type. */
  readonly selectedByPage: string;
  /** Those that the page of all approvals shows. */
  readonly selectedByList?: string;
}

/** By the kind of the job; null for requests without one. */
export const subjectKinds = new Map<string | null, SubjectKind<never>>();

export const SubjectRef = builder.unionType('ApprovalSubject', {
  description: 'What an approval is about.',
  types: [],
  resolveType: (subject) => getTypeBrand(subject) as string,
  // Others read their own requests, with the scopes of the types.
  extensions: { access: [decideScope, 'ops'] },
});

export function registerSubject<Subject extends object>(
  jobKind: string | null,
  kind: SubjectKind<Subject>,
): void {
  subjectKinds.set(jobKind, kind as unknown as SubjectKind<never>);
  SubjectRef.addTypes([kind.type]);
}
