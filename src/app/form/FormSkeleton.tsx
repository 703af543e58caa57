import type { Definition, Field } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { isGranted } from '../../engine/access/access-decision';
import { formSections, createsRecord, type FormMode, type FormSection } from '../../engine/forms/form-fields';
import { displayOf } from '../fields/displays';
import * as labelStyles from '../fields/labels.module.css';
import * as tabBarStyles from '../layout/tab-bar.module.css';
import * as statesStyles from '../states/states.module.css';
import * as styles from './form.module.css';

interface FormSkeletonProps {
  definition: Definition;
  /** The mode of a form that is a page. */
  mode?: FormMode;
}

/**
 * A form's skeleton while its record loads, in the final geometry. Conditional fields are left out, because their
 * conditions need the record.
 */
export function FormSkeleton({ definition, mode }: FormSkeletonProps) {
  const { actor } = useDefinitions();
  const hasTabs =
    mode !== undefined &&
    !createsRecord(mode) &&
    definition.form.tabs.some(({ resource, pageOnly }) => !pageOnly && isGranted(actor, resource, 'list'));
  const sections = formSections(definition, mode ?? 'edit', actor);
  const hasRail = sections.some(({ rail }) => rail);
  const renderSections = (shownSections: readonly FormSection[]) =>
    shownSections.map((section) => <SectionSkeleton key={section.label} {...{ section, hasRail }} />);
  return (
    <>
      {hasTabs && <div className={tabBarStyles.tabs} data-waiting aria-hidden="true" />}
      <div className={styles.formFrame} role="status">
        <span className="unseen">Loading…</span>
        <div className={styles.form} aria-hidden="true">
          <div className={styles.formSections} data-rail={hasRail ? 'beside' : undefined}>
            {hasRail ? (
              <>
                <div className={styles.formMain}>{renderSections(sections.filter(({ rail }) => !rail))}</div>
                <div className={styles.formRail}>{renderSections(sections.filter(({ rail }) => rail))}</div>
              </>
            ) : (
              renderSections(sections)
            )}
          </div>
          <div className={styles.saveBar} />
        </div>
      </div>
    </>
  );
}

/** A section as it begins: a folded one is its heading alone. */
function SectionSkeleton({ section, hasRail }: { section: FormSection; hasRail: boolean }) {
  const { label, description, folded: isFolded, onDemand } = section;
  return (
    <section
      className={styles.formSection}
      data-plain={(hasRail && !isFolded) || undefined}
      data-folding={isFolded || undefined}
    >
      {isFolded ? (
        <h2 className={styles.formFold}>
          <button type="button" tabIndex={-1}>
            <span>{label}</span>
          </button>
        </h2>
      ) : (
        <>
          <div className={styles.formPurpose}>
            <h2>{label}</h2>
            {description && <p>{description}</p>}
          </div>
          <div className={styles.formGrid}>
            {section.fields
              .filter(({ name, visible }) => visible === undefined && !onDemand?.includes(name))
              .map((field) => (
                <FieldSkeleton key={field.name} field={field} />
              ))}
          </div>
        </>
      )}
    </section>
  );
}

function FieldSkeleton({ field }: { field: Field }) {
  const { inputHeight, isLabelledBySection } = displayOf(field);
  return (
    <div className={styles.field} data-width={field.width}>
      <div className={isLabelledBySection ? `${labelStyles.fieldLabel} unseen` : labelStyles.fieldLabel}>
        <label>
          <span>{field.label}</span>
        </label>
      </div>
      <span className={`${statesStyles.skeleton} ${styles.fieldSkeleton}`} style={{ height: inputHeight?.(field) }} />
      {field.help && <p className={labelStyles.fieldHint}>{field.help}</p>}
    </div>
  );
}
