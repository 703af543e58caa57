import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { isGranted } from '../../engine/access/access-decision';
import { formSections, createsRecord, type FormMode } from '../../engine/forms/form-fields';
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
    definition.form.tabs.some(({ resource }) => isGranted(actor, resource, 'list'));
  return (
    <>
      {hasTabs && <div className={tabBarStyles.tabs} data-waiting aria-hidden="true" />}
      <div className={styles.formFrame} role="status">
        <span className="unseen">Loading…</span>
        <div className={styles.form} aria-hidden="true">
          <div className={styles.formSections}>
            {formSections(definition, mode ?? 'edit', actor).map((section) => (
              <section key={section.label} className={styles.formSection}>
                <div className={styles.formPurpose}>
                  <h2>{section.label}</h2>
                  {section.description && <p>{section.description}</p>}
                </div>
                <div className={styles.formGrid}>
                  {section.fields
                    .filter(({ visible }) => visible === undefined)
                    .map((field) => {
                      const { inputHeight, isLabelledBySection } = displayOf(field);
                      return (
                        <div key={field.name} className={styles.field} data-width={field.width}>
                          <div
                            className={
                              isLabelledBySection ? `${labelStyles.fieldLabel} unseen` : labelStyles.fieldLabel
                            }
                          >
                            <label>
                              <span>{field.label}</span>
                            </label>
                          </div>
                          <span
                            className={`${statesStyles.skeleton} ${styles.fieldSkeleton}`}
                            style={{ height: inputHeight?.(field) }}
                          />
                          {field.help && <p className={labelStyles.fieldHint}>{field.help}</p>}
                        </div>
                      );
                    })}
                </div>
              </section>
            ))}
          </div>
          <div className={styles.saveBar} />
        </div>
      </div>
    </>
  );
}
