import type { Statement } from './model.ts';
import { type MemberValues, memberNames, statementMembers } from './statement-members.ts';

/** The value for each kind of field that means "not stated". Every row states its type. */
const unstatedOfKind = {
  instant: null,
  day: null,
  name: '',
  note: '',
  currency: 'USD',
  class: null,
  quantity: null,
  money: null,
  ratio: null,
  lots: [],
  right: null,
  box: null,
  term: null,
} as const satisfies Omit<MemberValues, 'type'>;

/** The fields of a statement that may be left out, with the values that mean "not stated". */
export const unstatedMembers = Object.fromEntries(
  memberNames.flatMap((name) => {
    const { kind } = statementMembers[name];
    return kind === 'type' || name === 'at' || name === 'on' ? [] : [[name, unstatedOfKind[kind]]];
  }),
) as { readonly [Name in keyof Omit<Statement, 'type' | 'at' | 'on'>]: (typeof unstatedOfKind)[KindOfMember<Name>] };

type KindOfMember<Name extends keyof Statement> = (typeof statementMembers)[Name]['kind'] & keyof typeof unstatedOfKind;
