import useMediaQuery from '@mui/material/useMediaQuery';
import { realUser } from '../../../engine/access/actor';
import { useDefinitions } from '../../admin/DefinitionsContext';
import * as styles from '../list.module.css';
import { isTreeBesideClosed, narrow, treeTarget, wide } from './treePlace';
import type { TreePaneProps } from './TreePane';

/** The space that the tree beside a list takes, until its code has loaded. */
export function TreeSpace({ definition, state }: TreePaneProps) {
  const { registry, actor } = useDefinitions();
  const isWide = useMediaQuery(wide, { noSsr: true });
  const isNarrow = useMediaQuery(narrow, { noSsr: true });
  if (!treeTarget(definition, registry, actor)) return null;
  const closed = isTreeBesideClosed(realUser(actor).id, definition, state, isWide);
  return <div className={styles.treeSpace} data-narrow={isNarrow || undefined} data-closed={closed || undefined} />;
}
