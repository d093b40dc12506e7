import type {CleanOutcome, Failure, Mask, RunnerReport} from '@symphony-supervisor/protocol';

/**
 * Masks secrets in the text of a report, which ends up in logs and on screens. Paths and ids are not
 * masked: their readers must find what they name.
 */
export function maskReport(report: RunnerReport, mask: Mask): RunnerReport {
  switch (report.type) {
    case 'note':
      return {...report, message: mask(report.message)};
    case 'hook_ended':
      return {...report, failure: maskFailure(report.failure, mask), output: mask(report.output)};
    case 'agent': {
      const {message} = report.progress;
      return message === null
        ? report
        : {...report, progress: {...report.progress, message: mask(message)}};
    }
    case 'result': {
      const {failure, question} = report.result;
      const words = {
        failure: maskFailure(failure, mask),
        question: question === null ? null : mask(question),
      };
      return {...report, result: {...report.result, ...words}};
    }
    case 'cleaned':
      return {...report, outcomes: report.outcomes.map((outcome) => maskOutcome(outcome, mask))};
    case 'finished':
    case 'delivered':
      return {...report, failure: maskFailure(report.failure, mask)};
    case 'probed': {
      const failure = maskFailure(report.result.failure, mask);
      return {...report, result: {...report.result, failure}};
    }
    default:
      return report;
  }
}

function maskOutcome(outcome: CleanOutcome, mask: Mask): CleanOutcome {
  if (outcome.is === 'kept') return {...outcome, reason: mask(outcome.reason)};
  if (outcome.is === 'removed') return outcome;
  return {...outcome, failure: {...outcome.failure, message: mask(outcome.failure.message)}};
}

function maskFailure(failure: Failure | null, mask: Mask): Failure | null {
  return failure === null ? null : {...failure, message: mask(failure.message)};
}
