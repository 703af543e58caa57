import type { Definition } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { formSections } from '../../engine/forms/form-fields';
import '../states/states.css';
import './form.css';

/** A form while its record is on the way, in the geometry that it will have. */
export function FormSkeleton({ definition }: { definition: Definition }) {
  const { actor } = useDefinitions();
  return (
    <div className="form-frame" role="status">
      <span className="unseen">Loading…</span>
      <div className="form" aria-hidden="true">
        <div className="form-sections">
          {formSections(definition, 'edit', actor).map((section) => (
            <section key={section.label} className="form-section">
              <div className="form-purpose">
                <h2>{section.label}</h2>
                {section.description && <p>{section.description}</p>}
              </div>
              <div className="form-grid">
                {section.fields.map((field) => (
                  <div key={field.name} className="field" data-width={field.width}>
                    <div className="field-label">
                      <label>
                        <span>{field.label}</span>
                      </label>
                    </div>
                    <span className="skeleton field-skeleton" />
                  </div>
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}
