import type { Definition } from '../definitions/definition';
import type { Registry } from '../registry/registry';

/** A resource that archives the records of another one together with its own. */
export interface ArchivingParent {
  readonly definition: Definition;
  /** The follower's relation to it. */
  readonly field: string;
}

/**
 * The resources that archive a definition's records together with their own.
 *
 * @example archivingParentsOf(projects, registry).map(({ definition }) => definition.name); // ['clients']
 */
export function archivingParentsOf(definition: Definition, registry: Registry): ArchivingParent[] {
  return [...registry.definitions.values()].flatMap((leader) =>
    (leader.archive?.cascade ?? []).flatMap((path) => {
      const dot = path.indexOf('.');
      return path.slice(0, dot) === definition.name ? [{ definition: leader, field: path.slice(dot + 1) }] : [];
    }),
  );
}

/**
 * Why a record cannot be unarchived on its own, and what to do first.
 *
 * @example
 * parentArchivedMessage(projects, clients); // 'The client of this project is archived. Unarchive the client first.'
 */
export function parentArchivedMessage({ labels }: Definition, leader: Definition): string {
  const leaderName = leader.labels.one.toLowerCase();
  return `The ${leaderName} of this ${labels.one.toLowerCase()} is archived. Unarchive the ${leaderName} first.`;
}
