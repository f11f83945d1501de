%FREEBODY_CACHE  The robots that the toolbox keeps.
%   count = freebody_cache    robots built since the toolbox was loaded
%   freebody_cache('clear')    forgets those kept
%
%   A model is built when LP (or the set of globals, in the v1 form) is first
%   seen, and kept with a copy of its numbers. Each call compares LP with the
%   copies, number by number, so that any change is noticed at the next call.
%   Sixteen robots are kept.
function varargout = freebody_cache(varargin)
[varargout{1:max(nargout, 1)}] = freebody_mex('freebody_cache', varargin{:});
end
