export { scriptedModel as model } from '../../../demo/examples/pages/scripted-model.ts';
