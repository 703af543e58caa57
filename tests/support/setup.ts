// Runs before each test file; its imports run once, since test files share their modules.
import './wait-timeout';
