import type { TestCaseTemplates } from './test-case-template';

/** Test cases of apps, desktop programs, games and connected devices. */
export const deviceTestCases: TestCaseTemplates = {
  Permissions: [
    [
      'App works without location permission',
      'Install the app;Refuse the location;Open the map',
      'The map opens on the depot and explains what is missing.',
      'The app closes.',
    ],
    [
      'Revoked permission is detected',
      'Allow the camera;Revoke it in the system settings;Open the scanner',
      'The app asks again and links to the settings.',
      'The scanner shows a black picture.',
    ],
  ],
  'First sync': [
    [
      'First sync resumes after a lost connection',
      'Sign in on a new phone;Switch to flight mode at 50%;Switch back',
      'The sync continues where it stopped.',
      'The sync starts over and the list has duplicates.',
    ],
    [
      'Progress of the first sync never decreases',
      'Sign in with an account of 5,000 records;Watch the bar',
      'The bar only grows and ends at 100 %.',
      'The bar falls from 80 % to 40 %.',
    ],
  ],
  Queue: [
    [
      'Offline changes are sent in order',
      'Switch to flight mode;Make three changes to one stop;Switch back',
      'The server has the third change; the history shows all three.',
      'The second change wins.',
    ],
    [
      'Queue survives a restart of the phone',
      'Make changes offline;Restart the phone;Go online',
      'All changes are sent.',
      'The last change is lost.',
    ],
  ],
  Conflicts: [
    [
      'Both sides of a conflict are shown',
      'Change a note offline;Change it on the web as well;Go online',
      'The app shows both texts and asks which to keep.',
      'The text from the web is silently overwritten.',
    ],
    [
      'Deleted record is not restored by an outdated phone',
      'Delete a stop on the web;Open a phone that was offline for a week',
      'The stop disappears from the phone.',
      'The stop reappears on the web.',
    ],
  ],
  'Opt-in': [
    [
      'Nothing is sent before the opt-in',
      'Install the app;Do not answer the question about messages;Trigger a message',
      'No message arrives and no token is registered.',
      'A token is registered at the first start.',
    ],
    [
      'Quiet hours delay messages',
      'Set quiet hours from 22:00;Trigger a message at 22:30',
      'The message arrives at the end of the quiet hours.',
      'The phone rings at 22:30.',
    ],
  ],
  'Deep links': [
    [
      'Message opens its record',
      'Close the app;Tap a message',
      'The app starts on that record; Back leads to the list.',
      'The app starts on the home screen.',
    ],
    [
      "Link to another team's record is refused",
      'Open a link to a record of another team',
      'A message says that it cannot be opened.',
      'The screen stays white.',
    ],
  ],
  Barcode: [
    [
      'Code is read in low light',
      'Dim the room to 20 lux;Scan a parcel label',
      'Read within two seconds; the lamp turns on automatically.',
      'Nothing is read until the lamp is turned on manually.',
    ],
    [
      'Same code twice in a row counts once',
      'Hold the scanner on one label for five seconds',
      'One entry and one sound.',
      'Four entries.',
    ],
  ],
  'Photo upload': [
    [
      'Portrait photo is stored in portrait',
      'Take a photo in portrait;Open it on the web',
      'The photo is upright.',
      'The photo is rotated by 90°.',
    ],
    [
      'Upload on a slow connection shows progress and can be stopped',
      'Limit the connection to 100 kbit/s;Upload a photo;Press Stop',
      'The progress is shown; after Stop nothing is stored.',
      'Stop has no effect.',
    ],
  ],
  Update: [
    [
      'Update keeps the settings of the cash desk',
      'Change printer and drawer;Install the update',
      'Printer and drawer are unchanged.',
      'The drawer is back to its default.',
    ],
    [
      'Update waits for an open transaction',
      'Begin a deposit;Let the update arrive',
      'The update installs after the deposit.',
      'The program closes in the middle of the deposit.',
    ],
  ],
  Rollback: [
    [
      'Failed update rolls back to the previous version',
      'Cut the power at 60 % of the update;Start again',
      'The previous version starts.',
      'Neither version starts.',
    ],
    [
      'Rollback keeps the journal of the day',
      'Book three deposits;Roll the update back;Open the journal',
      'All three are there.',
      'The journal is empty until the night run.',
    ],
  ],
  Deposits: [
    [
      'Deposit over 10,000 asks for the source of funds',
      'Enter a deposit of 10,000.01',
      'The form for the source of funds opens before booking.',
      'The deposit is booked without the form.',
    ],
  ],
  Withdrawals: [
    [
      'Withdrawal beyond the limit needs a second signature',
      'Enter 5,001 as a teller',
      'A second teller must sign in on the same screen.',
      'The first teller may sign twice.',
    ],
  ],
  Receipts: [
    [
      'Receipt prints all lines on narrow paper',
      'Book a deposit with a purpose of 140 characters;Print',
      'The purpose is wrapped; nothing is cut.',
      'The last 30 characters are missing.',
    ],
  ],
  Statements: [
    [
      'Statement of a month without bookings prints its balance',
      'Choose an account without bookings;Print the statement',
      'One page with the old and the new balance.',
      'The printer spools an empty job.',
    ],
  ],
  Controls: [
    [
      'Controller unplugged in a run pauses the game',
      'Begin a run;Unplug the controller',
      'The game pauses and says why.',
      'The climber runs into the abyss.',
    ],
    [
      'Keys can be swapped without losing a control',
      'Give Jump the key of Pause',
      'The keys are swapped after a confirmation.',
      'Pause no longer has a key.',
    ],
  ],
  Scoring: [
    [
      'Score survives a crash during a run',
      'Collect 500 points;End the process;Start again',
      'The run is offered again with 500 points.',
      'The score is zero.',
    ],
  ],
  Levels: [
    [
      'Player cannot leave the map',
      'Run along the northern ridge;Jump at the last rock',
      'An invisible wall stops the climber softly.',
      'The climber falls forever.',
    ],
  ],
  'Frame rate': [
    [
      'Sixty frames a second in the snow storm',
      'Load "North Face";Switch the storm on;Record a minute',
      'Never under 55 frames a second.',
      'Falls to 31 frames at the second camp.',
    ],
  ],
  Shaders: [
    [
      'Ice looks the same on both graphics drivers',
      'Load the glacier on both test machines;Compare the pictures',
      'No visible difference.',
      'The ice is pink on one of them.',
    ],
  ],
  Matchmaking: [
    [
      'Two friends get into the same match',
      'Invite a friend;Start the search',
      'Both are in one match within 30 seconds.',
      'They end up in two matches.',
    ],
  ],
  Chat: [
    [
      'Blocked player cannot write',
      'Block a player in the lobby;Let them write',
      'Nothing appears.',
      'The text appears after the next match.',
    ],
  ],
  'Over-the-air update': [
    [
      'Update with a wrong signature is refused',
      'Offer a package with a changed byte;Wait for the gateway',
      'The package is discarded and reported.',
      'The gateway restarts in a loop.',
    ],
    [
      'Update on a weak signal resumes after an interruption',
      'Attenuate the antenna to -110 dBm;Start the update',
      'The update finishes within two hours.',
      'The update starts over every ten minutes.',
    ],
  ],
  Watchdog: [
    [
      'Hung process is restarted within a minute',
      'Stop the reader with a signal;Wait',
      'The watchdog restarts it and logs it.',
      'The whole gateway restarts.',
    ],
    [
      'Restart keeps unsent readings',
      'Cut the network;Wait for ten readings;Restart the gateway',
      'All ten are sent later.',
      'The last two are lost.',
    ],
  ],
  Readings: [
    [
      'A full day has 96 readings',
      'Let the gateway run from midnight to midnight;Count',
      '96 readings without gaps.',
      '95 readings: 02:00 is missing.',
    ],
    [
      'Jump in the counter is reported, not smoothed',
      'Raise the counter by 1,000 kWh',
      'The reading is marked as implausible.',
      'The reading is replaced by the average.',
    ],
  ],
  'Clock drift': [
    [
      'Clock correction does not count a reading twice',
      'Set the clock back by 90 seconds;Let the time server correct it',
      'Every quarter hour has one reading.',
      'The quarter hour of the change has two.',
    ],
    [
      'Gateway without time server warns after a day',
      'Block the time server for 25 hours',
      'A warning reaches the control room.',
      'No warning.',
    ],
  ],
  Bluetooth: [
    [
      'Pairing ends after three wrong codes',
      'Enter a wrong code three times',
      'Pairing is locked for ten minutes.',
      'Any number of codes can be tried.',
    ],
    [
      'Neighbour\u2019s meter is not offered',
      'Open pairing with two meters in reach',
      'Only the meter whose code was scanned is offered.',
      'Both are offered under one name.',
    ],
  ],
  Certificates: [
    [
      'Certificate is renewed before it expires',
      'Set the clock to ten days before expiry',
      'A new certificate is in use after a day.',
      'The renewal waits until the last hour.',
    ],
    [
      'Revoked certificate cuts the connection',
      'Revoke the certificate of a test gateway',
      'The next connection is refused.',
      'The gateway connects until it restarts.',
    ],
  ],
};
