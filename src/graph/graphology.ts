// The one file that imports the package.
export { MultiDirectedGraph } from 'graphology';
