import { useDraftValue } from '../properties/useDraftValue';
import { ChoiceInput } from '../properties/ChoiceProperty';
import { PartForm } from '../properties/PartForm';
import { Sections } from './Sections';
import * as styles from '../properties/properties.module.css';

/** Properties of the form: its sections, whether it is a dialog, and its tabs. */
export function FormPanel() {
  return (
    <>
      <h3 className={styles.studioPart}>Sections</h3>
      <Sections />
      <hr />
      <Shape />
      <PartForm pointer="/form" keys={['keep', 'popup']} />
      <hr />
      <PartForm pointer="/form" keys={['tabs']} />
      <hr />
      <PartForm pointer="/form" keys={['redirects']} />
    </>
  );
}

const shapes = [
  { value: 'dialog', label: 'A dialog over its list' },
  { value: 'page', label: 'A page' },
];

/** Whether the form is a page or a dialog over its list, and how wide. */
function Shape() {
  const { value, set, error, hint } = useDraftValue('/form/dialog');
  const formShape = value === undefined ? '' : value === false ? 'page' : 'dialog';
  const choose = (shape: string) => set(shape === 'dialog' ? { width: 640 } : shape === 'page' ? false : undefined);
  return (
    <>
      <ChoiceInput
        label="The form is"
        options={shapes}
        emptyText="By its size: a small one is a dialog"
        {...{ error, hint, value: formShape }}
        onChoose={choose}
      />
      {formShape === 'dialog' && <PartForm pointer="/form/dialog" />}
    </>
  );
}
