import type { FieldOf } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputFacets, InputProps } from '../fieldType';
import * as styles from './permissions.module.css';
import { Icon } from '../../icons/Icon';
import { BoxMark } from '../../theme/marks';

const PermissionTree = lazyComponent(
  () => import('./PermissionTree').then((module) => ({ default: module.PermissionTree })),
  ReadOnly,
);

/** The grants of a role as a tree, loaded on demand. */
function Input(props: InputProps<FieldOf<'permissions'>>) {
  return <PermissionTree {...props} />;
}

/** The number of grants, shown until the tree has loaded. */
function ReadOnly({ value }: InputProps<FieldOf<'permissions'>>) {
  const count = Array.isArray(value) ? value.length : 0;
  return (
    <div className={`${styles.grantTree} ${styles.grantTreeWaiting}`}>
      {count === 1 ? '1 grant' : `${formatNumber(count)} grants`}
    </div>
  );
}

export default { Input, Aside } satisfies InputFacets<FieldOf<'permissions'>>;

/** A legend of the tree's marks. */
function Aside() {
  return (
    <ul className={styles.grantTreeLegend}>
      <li>
        <span className={styles.grantTreeChanged}>
          <BoxMark state="on" />
        </span>
        Changed, not saved
      </li>
      <li>
        <span className={styles.grantTreeDenied}>
          <Icon name="lock" size={10} />
        </span>
        You don't have it
      </li>
    </ul>
  );
}
