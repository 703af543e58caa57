import { Picture } from '../../src/app/fields/image/Picture';
import { RichText } from '../../src/app/fields/richText/RichText';
import { SharedFact, SharedSection } from '../../src/app/shared/SharedSection';
import { WebLink } from '../../src/app/fields/url/WebLink';
import { OutcomeMark, PriorityMark, StatusMark } from './Marks';
import { SharedSteps } from './SharedSteps';
import { relatedTitle, type SharedTestCase } from './loadSharedTestCase';
import * as styles from '../../src/app/shared/shared.module.css';

/** A visitor's view: the test case on the left, its properties on the right. */
export function SharedTestCaseContent({ testCase }: { testCase: SharedTestCase }) {
  const result = <OutcomeMark title={relatedTitle(testCase.result)} />;
  const priority = <PriorityMark title={relatedTitle(testCase.priority)} />;
  const status = <StatusMark title={relatedTitle(testCase.status)} />;
  return (
    <div className={styles.sharedSheet}>
      <article>
        <div>
          <h1>Testcase: {testCase.name}</h1>
          <div className={styles.sharedGlance} aria-hidden="true">
            {priority}
            {result}
            {status}
          </div>
        </div>
        <SharedSection label="Description">
          {testCase.description && <RichText html={testCase.description} />}
        </SharedSection>
        <SharedSection label="Test Data">{testCase.test_data}</SharedSection>
        <SharedSection label="Pre-conditions">{testCase.pre_conditions}</SharedSection>
        <SharedSection label="Steps to Reproduce">{testCase.steps_to_reproduce}</SharedSection>
        {testCase.steps && testCase.steps.length > 0 && (
          <SharedSection label="Steps">
            <SharedSteps steps={testCase.steps} pictures={testCase.pictures} />
          </SharedSection>
        )}
        <div className={styles.sharedPair}>
          <SharedSection label="Expected Result">{testCase.expected_result}</SharedSection>
          <SharedSection label="Actual Result">{testCase.actual_result}</SharedSection>
        </div>
        <SharedSection label="Screenshot">
          {testCase.screenshot && <Picture {...testCase.screenshot} kind="Screenshot" />}
        </SharedSection>
      </article>
      <aside aria-label="Facts">
        <dl>
          <SharedFact label="Project Module">{relatedTitle(testCase.module)}</SharedFact>
          <SharedFact label="Sub Module">{relatedTitle(testCase.sub_module)}</SharedFact>
          <SharedFact label="Type">{relatedTitle(testCase.type)}</SharedFact>
          <SharedFact label="Task">{relatedTitle(testCase.task)}</SharedFact>
          <SharedFact label="Action">{relatedTitle(testCase.action)}</SharedFact>
          <SharedFact label="Device Type">{relatedTitle(testCase.device)}</SharedFact>
          <SharedFact label="Result">{relatedTitle(testCase.result) && result}</SharedFact>
          <SharedFact label="Priority">{relatedTitle(testCase.priority) && priority}</SharedFact>
          <SharedFact label="Status">{relatedTitle(testCase.status) && status}</SharedFact>
          <SharedFact label="Assignee">{relatedTitle(testCase.assign)}</SharedFact>
          <SharedFact label="Video URL">{testCase.video_url && <WebLink url={testCase.video_url} />}</SharedFact>
          <SharedFact label="Created by">{relatedTitle(testCase.created_by)}</SharedFact>
        </dl>
      </aside>
    </div>
  );
}
