import type { FieldTemplateProps } from '@rjsf/utils';
import type { ReactNode } from 'react';
import type { Field } from '../../engine/definitions/definition';
import { displayOf } from '../fields/displays';
import { Icon } from '../icons/Icon';
import { useFormContext } from './FormContext';
import { lazyComponent } from '../states/lazyComponent';
import * as styles from './form.module.css';

const TargetVersion = lazyComponent(() => import('./TargetVersion'));
const ContinuedTime = lazyComponent(() => import('./ContinuedTime'));
const SimilarRecords = lazyComponent(() => import('./SimilarRecords'));

/** A field: label with required mark and note, input, error, notice and help. */
export function FieldTemplate({ id, children, uiSchema, schema }: FieldTemplateProps) {
  if (schema.type === 'object') return children;
  const field = uiSchema!['ui:options']!.of as Field;
  return (
    <LabelledField id={id} field={field}>
      {children}
    </LabelledField>
  );
}

function LabelledField({ id, field, children }: { id: string; field: Field; children: ReactNode }) {
  const { state, error, note, aside, pinned, compared, continued } = useFormContext().fieldContext(field);
  return (
    <>
      <div className={displayOf(field).isLabelledBySection ? `${styles.fieldLabel} unseen` : styles.fieldLabel}>
        <label id={`${id}-label`} htmlFor={id}>
          <span>{field.label}</span>
          {state.required && <b aria-hidden="true">*</b>}
        </label>
        {aside && <span id={`${id}-aside`}>{aside}</span>}
      </div>
      {children}
      {error && (
        <p className={styles.fieldError} id={`${id}-error`}>
          <Icon name="warning" size={14} />
          {error}
        </p>
      )}
      {continued && <ContinuedTime {...continued} />}
      {compared && <SimilarRecords {...compared} />}
      {pinned && <TargetVersion {...pinned} />}
      {note && (
        <p className={styles.fieldHint} id={`${id}-note`} role="status">
          <Icon name="info" size={14} />
          {note}
        </p>
      )}
      {field.help && (
        <p className={styles.fieldHint} id={`${id}-help`}>
          {field.help}
        </p>
      )}
    </>
  );
}
