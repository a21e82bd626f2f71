import { CHECK_STEPS } from './check-steps.ts';
import { runSteps } from './test-steps.ts';

const passed = await runSteps(CHECK_STEPS, { stopsAtFailure: true, env: process.env });
process.exitCode = passed ? 0 : 1;
