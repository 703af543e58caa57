import { Picture } from '../../src/app/shared/Picture';
import { RichText } from '../../src/app/shared/RichText';
import { Fact, Part } from '../../src/app/shared/Sheet';
import { WebLink } from '../../src/app/shared/WebLink';
import { Outcome, Priority, Status } from './Marks';
import { titleOf, type SharedTestCase } from './loadShared';

/** What a visitor sees: the test case on the left, its properties on the right. */
export function Sheet({ shared }: { shared: SharedTestCase }) {
  const result = <Outcome title={titleOf(shared.result)} />;
  const priority = <Priority title={titleOf(shared.priority)} />;
  const status = <Status title={titleOf(shared.status)} />;
  return (
    <div className="shared-sheet">
      <article>
        <div>
          <h1>Testcase: {shared.name}</h1>
          <div className="shared-glance" aria-hidden="true">
            {priority}
            {result}
            {status}
          </div>
        </div>
        <Part label="Description">{shared.description && <RichText html={shared.description} />}</Part>
        <Part label="Test Data">{shared.test_data}</Part>
        <Part label="Pre-conditions">{shared.pre_conditions}</Part>
        <Part label="Steps to Reproduce">{shared.steps_to_reproduce}</Part>
        <div className="shared-pair">
          <Part label="Expected Result">{shared.expected_result}</Part>
          <Part label="Actual Result">{shared.actual_result}</Part>
        </div>
        <Part label="Screenshot">{shared.screenshot && <Picture {...shared.screenshot} kind="Screenshot" />}</Part>
      </article>
      <aside aria-label="Facts">
        <dl>
          <Fact label="Project Module">{titleOf(shared.module)}</Fact>
          <Fact label="Sub Module">{titleOf(shared.sub_module)}</Fact>
          <Fact label="Type">{titleOf(shared.type)}</Fact>
          <Fact label="Task">{titleOf(shared.task)}</Fact>
          <Fact label="Action">{titleOf(shared.action)}</Fact>
          <Fact label="Device Type">{titleOf(shared.device)}</Fact>
          <Fact label="Result">{titleOf(shared.result) && result}</Fact>
          <Fact label="Priority">{titleOf(shared.priority) && priority}</Fact>
          <Fact label="Status">{titleOf(shared.status) && status}</Fact>
          <Fact label="Assignee">{titleOf(shared.assign)}</Fact>
          <Fact label="Video URL">{shared.video_url && <WebLink url={shared.video_url} />}</Fact>
          <Fact label="Created by">{titleOf(shared.created_by)}</Fact>
        </dl>
      </aside>
    </div>
  );
}
