import { isGranted } from '../../../engine/access/access-decision';
import { realUser } from '../../../engine/access/actor';
import { useDefinitions } from '../../data/DefinitionsContext';
import * as styles from '../list.module.css';
import { isTreeClosed } from './rememberedTree';
import { useResourceList } from '../ResourceList';

/** The space that the tree beside a list takes, until its code has loaded. */
export function TreeSpace() {
  const { name, fields, list } = useResourceList().definition;
  const { actor } = useDefinitions();
  const targetName = fields[list.tree?.[0] ?? '']?.to ?? '';
  if (!isGranted(actor, targetName, 'list')) return null;
  return <div className={styles.treeSpace} data-closed={isTreeClosed(realUser(actor).id, name)} />;
}
