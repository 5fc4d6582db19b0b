import type { Sql } from '../../../db/connection.ts';
import type { Plan } from './plan.ts';

export interface ListedUser {
  readonly email: string;
  /** The time when a deleted account will be erased. */
  readonly erasedAt: Date | null;
  readonly plan: Plan;
  readonly isVerified: boolean;
  readonly createdAt: Date;
  /** Null if there is no session. */
  readonly lastSeenAt: Date | null;
  readonly hasApp: boolean;
  readonly passkeys: number;
}

/** Selects all users except the demo account, ordered by email address. */
export function selectUsers(sql: Sql): Promise<ListedUser[]> {
  return sql<ListedUser[]>`
    select coalesce(u.email, w.email) as email, w.erase_at as "erasedAt", u.plan,
      u.email_verified_at is not null as "isVerified", u.created_at as "createdAt",
      (select max(last_used_at) from sessions s where s.user_id = u.id) as "lastSeenAt",
      exists (select from totp_keys k where k.user_id = u.id and k.confirmed_at is not null) as "hasApp",
      (select count(*)::integer from passkeys p where p.user_id = u.id) as passkeys
    from users u left join account_deletions w on w.user_id = u.id where not u.is_demo order by 1, w.requested_at`;
}
