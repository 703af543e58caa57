// Runs before each file; what it imports runs once, since files share their modules.
import './patience';
