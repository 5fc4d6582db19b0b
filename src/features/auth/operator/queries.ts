import type { Sql } from '../../../db/connection.ts';
import type { Plan } from '../plan.ts';

export interface ListedUser {
  readonly email: string;
  readonly plan: Plan;
  readonly createdAt: Date;
  /** Null where there is no session left. */
  readonly lastSeenAt: Date | null;
  readonly hasApp: boolean;
  readonly passkeys: number;
}

/** All but the demo account, in the order of their addresses. */
export function selectUsers(sql: Sql): Promise<ListedUser[]> {
  return sql<ListedUser[]>`
    select u.email, u.plan, u.created_at as "createdAt",
      (select max(last_used_at) from sessions s where s.user_id = u.id) as "lastSeenAt",
      exists (select from totp_keys k where k.user_id = u.id and k.confirmed_at is not null) as "hasApp",
      (select count(*)::integer from passkeys p where p.user_id = u.id) as passkeys
    from users u where not u.is_demo order by u.email`;
}
