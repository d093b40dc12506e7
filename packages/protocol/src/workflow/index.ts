export {type Complaint, type ComplaintCode, formatComplaint} from './complaint.ts';
export type {FileContext, WorkflowContext} from './context.ts';
export {describeKeys, type KeyDescription} from './describe-keys.ts';
export {checkFirstFile} from './first-file.ts';
export {workflowJsonSchema} from './json-schema.ts';
export {nearest} from './nearest.ts';
export {parseWorkflow, type WorkflowReading} from './parse.ts';
export {checkProjects} from './projects.ts';
export {readWorkflow} from './read.ts';
