import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { isGranted } from '../../engine/access/access-decision';
import { formSections, createsRecord, type FormMode } from '../../engine/forms/form-fields';
import { displayOf } from '../fields/displays';
import '../layout/tab-bar.css';
import '../states/states.css';
import './form.css';

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
    definition.form.tabs.some(({ list }) => isGranted(actor, list, 'list'));
  return (
    <>
      {hasTabs && <div className="tabs form-tabs" data-waiting aria-hidden="true" />}
      <div className="form-frame" role="status">
        <span className="unseen">Loading…</span>
        <div className="form" aria-hidden="true">
          <div className="form-sections">
            {formSections(definition, mode ?? 'edit', actor).map((section) => (
              <section key={section.label} className="form-section">
                <div className="form-purpose">
                  <h2>{section.label}</h2>
                  {section.description && <p>{section.description}</p>}
                </div>
                <div className="form-grid">
                  {section.fields
                    .filter(({ visible }) => visible === undefined)
                    .map((field) => {
                      const { inputHeight, isLabelledBySection } = displayOf(field);
                      return (
                        <div key={field.name} className="field" data-width={field.width}>
                          <div className={isLabelledBySection ? 'field-label unseen' : 'field-label'}>
                            <label>
                              <span>{field.label}</span>
                            </label>
                          </div>
                          <span className="skeleton field-skeleton" style={{ height: inputHeight?.(field) }} />
                          {field.help && <p className="field-hint">{field.help}</p>}
                        </div>
                      );
                    })}
                </div>
              </section>
            ))}
          </div>
          <div className="save-bar" />
        </div>
      </div>
    </>
  );
}
