import { errorId, helpId, type FieldTemplateProps } from '@rjsf/utils';
import type { Field } from '../../engine/definitions/definition';
import { displayOf } from '../fields/displays';
import { Icon } from '../icons/Icon';
import { useFormContext } from './FormContext';
import { lazyComponent } from '../states/lazyComponent';
import * as labelStyles from '../fields/labels.module.css';
import { requireValue } from '../../engine/values/lookups';

const TargetVersion = lazyComponent(() => import('./TargetVersion'));
const ContinuedTime = lazyComponent(() => import('./ContinuedTime'));
const SimilarRecords = lazyComponent(() => import('./SimilarRecords'));

/** A field: label with required mark and note, input, error, notice and help. The form as a whole is a property too. */
export function FieldTemplate(props: FieldTemplateProps) {
  return props.schema.type === 'object' ? props.children : <LabelledField {...props} />;
}

function LabelledField({ id, label, rawHelp, uiSchema, children }: FieldTemplateProps) {
  const field = requireValue(uiSchema?.['ui:options'], 'the options of a field').resourceField as Field;
  const { state, error, note, sideNote, pinnedTarget, comparison, continued } = useFormContext().fieldContext(field);
  return (
    <>
      <div
        className={displayOf(field).isLabelledBySection ? `${labelStyles.fieldLabel} unseen` : labelStyles.fieldLabel}
      >
        <label id={`${id}-label`} htmlFor={id}>
          <span>{label}</span>
          {state.required && <b aria-hidden="true">*</b>}
        </label>
        {sideNote && <span id={`${id}-aside`}>{sideNote}</span>}
      </div>
      {children}
      {error && (
        <p className={labelStyles.fieldError} id={errorId(id)}>
          <Icon name="warning" size={14} />
          {error}
        </p>
      )}
      {continued && <ContinuedTime {...continued} />}
      {comparison && <SimilarRecords {...comparison} />}
      {pinnedTarget && <TargetVersion {...pinnedTarget} />}
      {note && (
        <p className={labelStyles.fieldHint} id={`${id}-note`} role="status">
          <Icon name="info" size={14} />
          {note}
        </p>
      )}
      {rawHelp && (
        <p className={labelStyles.fieldHint} id={helpId(id)}>
          {rawHelp}
        </p>
      )}
    </>
  );
}
