import { Picture } from '../../src/app/shared/Picture';
import { RichText } from '../../src/app/shared/RichText';
import { SharedFact, SharedSection } from '../../src/app/shared/SharedSection';
import { WebLink } from '../../src/app/shared/WebLink';
import { OutcomeMark, PriorityMark, StatusMark } from './Marks';
import { SharedSteps } from './SharedSteps';
import { relatedTitle, type SharedTestCase } from './loadSharedTestCase';
import * as styles from '../../src/app/shared/shared.module.css';

/** What a visitor sees: the test case on the left, its properties on the right. */
export function SharedTestCaseContent({ shared }: { shared: SharedTestCase }) {
  const result = <OutcomeMark title={relatedTitle(shared.result)} />;
  const priority = <PriorityMark title={relatedTitle(shared.priority)} />;
  const status = <StatusMark title={relatedTitle(shared.status)} />;
  return (
    <div className={styles.sharedSheet}>
      <article>
        <div>
          <h1>Testcase: {shared.name}</h1>
          <div className={styles.sharedGlance} aria-hidden="true">
            {priority}
            {result}
            {status}
          </div>
        </div>
        <SharedSection label="Description">
          {shared.description && <RichText html={shared.description} />}
        </SharedSection>
        <SharedSection label="Test Data">{shared.test_data}</SharedSection>
        <SharedSection label="Pre-conditions">{shared.pre_conditions}</SharedSection>
        <SharedSection label="Steps to Reproduce">{shared.steps_to_reproduce}</SharedSection>
        {shared.steps && shared.steps.length > 0 && (
          <SharedSection label="Steps">
            <SharedSteps steps={shared.steps} pictures={shared.pictures} />
          </SharedSection>
        )}
        <div className={styles.sharedPair}>
          <SharedSection label="Expected Result">{shared.expected_result}</SharedSection>
          <SharedSection label="Actual Result">{shared.actual_result}</SharedSection>
        </div>
        <SharedSection label="Screenshot">
          {shared.screenshot && <Picture {...shared.screenshot} kind="Screenshot" />}
        </SharedSection>
      </article>
      <aside aria-label="Facts">
        <dl>
          <SharedFact label="Project Module">{relatedTitle(shared.module)}</SharedFact>
          <SharedFact label="Sub Module">{relatedTitle(shared.sub_module)}</SharedFact>
          <SharedFact label="Type">{relatedTitle(shared.type)}</SharedFact>
          <SharedFact label="Task">{relatedTitle(shared.task)}</SharedFact>
          <SharedFact label="Action">{relatedTitle(shared.action)}</SharedFact>
          <SharedFact label="Device Type">{relatedTitle(shared.device)}</SharedFact>
          <SharedFact label="Result">{relatedTitle(shared.result) && result}</SharedFact>
          <SharedFact label="Priority">{relatedTitle(shared.priority) && priority}</SharedFact>
          <SharedFact label="Status">{relatedTitle(shared.status) && status}</SharedFact>
          <SharedFact label="Assignee">{relatedTitle(shared.assign)}</SharedFact>
          <SharedFact label="Video URL">{shared.video_url && <WebLink url={shared.video_url} />}</SharedFact>
          <SharedFact label="Created by">{relatedTitle(shared.created_by)}</SharedFact>
        </dl>
      </aside>
    </div>
  );
}
