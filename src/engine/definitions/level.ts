/** A role's power: 1 administers the installation, 2 owns a company, 6 is an external user. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6;
export const levels: readonly Level[] = [1, 2, 3, 4, 5, 6];

/**
 * Whom a rule, a request or a transition is for: roles by their levels, roles by their keys, or both. Neither: everybody.
 */
export interface Audience {
  readonly levels?: readonly Level[];
  readonly roles?: readonly string[];
}

/** A role, as far as rules know it. */
export interface RoleHolder {
  readonly level: Level;
  /** The key of the role; rules that name roles apply to nobody without one. */
  readonly role?: string;
}

/** A role of the installation or of a company, as messages name it. */
export interface RoleName {
  readonly key: string;
  readonly name: string;
  readonly level: Level;
}
