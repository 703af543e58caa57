import { Link } from 'react-router-dom';
import type { Module, PlanStep } from '../../../engine/studio/module';
import { stepEffect, stepChip, sortSteps, formatSql } from './stepTexts';
import * as chipsStyles from '../../chips/chips.module.css';
import * as studioStyles from '../studio.module.css';
import * as styles from './plan.module.css';

/** The steps of a plan: what changes, its SQL statement, and its effect on stored data. */
export function PlanTable({ steps, module }: { steps: readonly PlanStep[]; module: Module }) {
  return (
    <div className={styles.studioSteps} tabIndex={0} role="region" aria-label="Steps">
      <table>
        <thead>
          <tr>
            <th scope="col">Change</th>
            <th scope="col">What changes</th>
            <th scope="col">Statement</th>
            <th scope="col">Effect</th>
          </tr>
        </thead>
        <tbody>
          {sortSteps(steps).map((step, index) => {
            const { label, tone } = stepChip(step);
            return (
              <tr key={index}>
                <td>
                  <span className={`${chipsStyles.chip} ${studioStyles.studioKind}`} data-tone={tone}>
                    <span>{label}</span>
                  </span>
                </td>
                <td title={step.text} colSpan={step.sql ? 1 : 2}>
                  {step.text}
                </td>
                {step.sql && (
                  <td className={styles.studioSql} title={step.sql}>
                    {formatSql(step.sql)}
                  </td>
                )}
                <td data-bad={step.destructive || undefined}>
                  {step.records && step.records.length > 0 ? (
                    <Link to={recordsPath(module.name, step.records)}>{stepEffect(step)}</Link>
                  ) : (
                    stepEffect(step)
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The address of a list of these records. */
export function recordsPath(name: string, ids: readonly number[]): string {
  return `/${name}?id=${ids.join(',')}`;
}
