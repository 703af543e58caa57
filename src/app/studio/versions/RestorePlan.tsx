import type { Module, ModulePlan } from '../../../engine/studio/module';
import { ColumnDownload } from '../plan/ColumnDownload';
import { lossesOf } from '../plan/losses';
import { stepEffect } from '../plan/stepTexts';
import * as chipsStyles from '../../chips/chips.module.css';
import * as dialogsStyles from '../plan/dialogs.module.css';
import * as studioStyles from '../studio.module.css';
import * as styles from './versions.module.css';

interface RestorePlanProps {
  module: Module;
  plan: ModulePlan | undefined;
  error: Error | null;
}

/** The plan of restoring a version: each step with its statement and effect, or why it is not possible. */
export function RestorePlan({ module, plan, error }: RestorePlanProps) {
  if (error) return <p role="alert">The plan could not be made: {error.message}</p>;
  if (!plan) return <p role="status">Loading the plan…</p>;
  if (!plan.valid)
    return (
      <div role="alert">
        <p>It no longer fits the other modules:</p>
        <ul className={dialogsStyles.studioBox}>
          {plan.errors.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      </div>
    );
  if (plan.steps.length === 0) return <p>No changes to tables, only to screens.</p>;
  return (
    <ul className={`${dialogsStyles.studioBox} ${styles.restoreSteps}`} aria-label="Steps">
      {plan.steps.map((step, index) => {
        const [loss] = step.destructive ? lossesOf([step]) : [];
        return (
          <li key={index}>
            <span>
              {step.text}
              {step.sql && <code title={step.sql}>{step.sql}</code>}
            </span>
            <span
              className={`${chipsStyles.chip} ${studioStyles.studioKind}`}
              data-tone={step.destructive ? 'urgent' : undefined}
            >
              <span>{stepEffect(step)}</span>
            </span>
            {loss?.column && <ColumnDownload name={module.name} column={loss.column} />}
          </li>
        );
      })}
    </ul>
  );
}
